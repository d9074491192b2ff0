use wasmtime::component::types::{ComponentFunc, Type};

/// The type of a function as its interface's file writes it, without the names of its parameters
/// and with every named type spelled out.
pub(crate) fn signature(function: &ComponentFunc) -> String {
    let params: Vec<_> = function.params().map(|(_, ty)| text(&ty)).collect();
    let result = function.results().next().map(|ty| text(&ty));
    with_result(&params.join(", "), result.as_deref())
}

fn with_result(params: &str, result: Option<&str>) -> String {
    match result {
        Some(result) => format!("func({params}) -> {result}"),
        None => format!("func({params})"),
    }
}

fn text(ty: &Type) -> String {
    match ty {
        Type::List(list) => format!("list<{}>", text(&list.ty())),
        Type::Option(option) => format!("option<{}>", text(&option.ty())),
        Type::Tuple(tuple) => {
            let types: Vec<_> = tuple.types().map(|ty| text(&ty)).collect();
            format!("tuple<{}>", types.join(", "))
        }
        Type::Result(result) => result_text(result.ok(), result.err()),
        Type::Record(record) => {
            let fields = record.fields();
            braces(
                "record",
                fields.map(|f| format!("{}: {}", f.name, text(&f.ty))),
            )
        }
        Type::Variant(variant) => {
            let cases = variant.cases();
            braces("variant", cases.map(|case| case_text(case.name, case.ty)))
        }
        Type::Enum(names) => braces("enum", names.names().map(str::to_owned)),
        Type::Flags(names) => braces("flags", names.names().map(str::to_owned)),
        Type::Own(_) => "own<resource>".to_owned(),
        Type::Borrow(_) => "borrow<resource>".to_owned(),
        plain => plain_name(plain).to_owned(),
    }
}

fn braces(kind: &str, items: impl Iterator<Item = String>) -> String {
    let items: Vec<_> = items.collect();
    format!("{kind} {{ {} }}", items.join(", "))
}

fn case_text(name: &str, ty: Option<Type>) -> String {
    match ty {
        Some(ty) => format!("{name}({})", text(&ty)),
        None => name.to_owned(),
    }
}

fn result_text(ok: Option<Type>, err: Option<Type>) -> String {
    match (ok, err) {
        (None, None) => "result".to_owned(),
        (Some(ok), None) => format!("result<{}>", text(&ok)),
        (None, Some(err)) => format!("result<_, {}>", text(&err)),
        (Some(ok), Some(err)) => format!("result<{}, {}>", text(&ok), text(&err)),
    }
}

fn plain_name(ty: &Type) -> &'static str {
    match ty {
        Type::Bool => "bool",
        Type::S8 => "s8",
        Type::U8 => "u8",
        Type::S16 => "s16",
        Type::U16 => "u16",
        Type::S32 => "s32",
        Type::U32 => "u32",
        Type::S64 => "s64",
        Type::U64 => "u64",
        Type::Float32 => "f32",
        Type::Float64 => "f64",
        Type::Char => "char",
        Type::String => "string",
        _ => "a type that this host does not know",
    }
}
