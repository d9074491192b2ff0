//! What is found in texts, shown part by part.

use insta::assert_snapshot;
use spawnhook_shell::{Analysis, Dialect, Word, analyze};

fn shown(text: &str) -> String {
    let analysis = analyze(text, Dialect::Bash);
    let mut lines: Vec<String> = (0..analysis.parts.len())
        .map(|index| shown_part(&analysis, index))
        .collect();
    lines.extend(
        analysis
            .undecidable
            .iter()
            .map(|unknown| format!("? {unknown}")),
    );
    lines.join("\n")
}

fn shown_part(analysis: &Analysis, index: usize) -> String {
    let part = &analysis.parts[index];
    let mut parent = part.parent;
    let mut indent = String::new();
    while let Some(outer) = parent {
        indent.push_str("  ");
        parent = analysis.parts[outer].parent;
    }
    let mut words: Vec<String> = part.words.as_slice().iter().map(shown_word).collect();
    words.extend(part.words.more().then(|| "(more)".to_owned()));
    let role = format!("{:?}", part.role).to_lowercase();
    let mut line = format!("{indent}{role} {}", words.join(" "));
    for assignment in &part.assignments {
        line.push_str(&format!(
            " {}={}",
            assignment.name,
            shown_word(&assignment.value)
        ));
    }
    for redirection in &part.redirections {
        let target = shown_word(&redirection.target);
        line.push_str(&format!(" {:?} {target:?}", redirection.operator));
    }
    let place: Vec<_> = part.place.iter().map(|step| step.describe()).collect();
    match place.is_empty() {
        true => line,
        false => format!("{line} [{}]", place.join(", ")),
    }
}

fn shown_word(word: &Word) -> String {
    match word {
        Word::Literal(text) => text.clone(),
        Word::Mixed(_) if word.is_single() => format!("{}…", word.head()),
        Word::Mixed(_) => format!("{}……", word.head()),
    }
}

#[test]
fn a_line_is_taken_apart() {
    assert_snapshot!(shown("A=1 git status && (ls | tee \"$D/x\") > out 2>&1; ! make &"), @r#"
    program git status A=1
    program ls [and-or, subshell, pipeline]
    program tee … [and-or, subshell, pipeline]
    bare  Write "out" Duplicate "1" [and-or]
    program make
    "#);
}

#[test]
fn commands_in_words_belong_to_the_command_of_the_word() {
    assert_snapshot!(shown("echo \"$(a `b`)\" ${x:-$(c)} $(( $(d) )) <(e) 'f $(g)'"), @r"
    builtin echo … …… …… … f $(g)
      program a …… [substitution]
        program b [substitution, substitution]
      program c [alternative, substitution]
      program d [substitution]
      program e [process substitution]
    ");
}

#[test]
fn compound_commands_say_on_what_way_a_command_is_reached() {
    assert_snapshot!(shown(
        "if a; then b; else c; fi; while d; do e; done < in; for i in $(f); do g; done; case $(h) in x) i;; esac"
    ), @r#"
    program a [condition]
    program b [branch]
    program c [branch]
    program d [condition]
    program e [loop]
    bare  Read "in"
    program f [substitution]
    program g [loop]
    program h [substitution]
    program i [branch]
    "#);
}

#[test]
fn wrappers_are_seen_through() {
    assert_snapshot!(shown("sudo -u root -- env A=1 timeout -k 5 10 nice -n 5 xargs -n1 git add"), @r"
    program sudo -u root -- env A=1 timeout -k 5 10 nice -n 5 xargs -n1 git add
      wrapper env A=1 timeout -k 5 10 nice -n 5 xargs -n1 git add A=1 [wrapped]
        wrapper timeout -k 5 10 nice -n 5 xargs -n1 git add [wrapped, wrapped]
          wrapper nice -n 5 xargs -n1 git add [wrapped, wrapped, wrapped]
            wrapper xargs -n1 git add [wrapped, wrapped, wrapped, wrapped]
              program git add (more) [wrapped, wrapped, wrapped, wrapped, wrapped]
    ");
    assert_snapshot!(shown("find . -exec grep -l x {} + -o -exec sh -c 'a; b' \\;"), @r"
    program find . -exec grep -l x {} + -o -exec sh -c a; b ;
      program grep -l x … [wrapped]
      wrapper sh -c a; b [wrapped]
        program a [wrapped, text]
        program b [wrapped, text]
    ");
    assert_snapshot!(shown("bash -ec 'a && b' name; ssh -p 22 host 'c | d'; eval \"e; f\"; trap 'g' EXIT"), @r"
    wrapper bash -ec a && b name
      program a [text]
      program b [text, and-or]
    program ssh -p 22 host c | d
      program c [text, pipeline]
      program d [text, pipeline]
    wrapper eval e; f
      program e [text]
      program f [text]
    builtin trap g EXIT
      program g [trap]
    ");
}

#[test]
fn a_shell_runs_its_here_document_and_a_program_reads_it() {
    assert_snapshot!(shown("bash <<'E'\na $(b)\nE\ncat <<E\na $(b)\nE\nsh <<< 'c; d'"), @r#"
    wrapper bash HereDocument "a $(b)\n"
      program a …… [here-document]
        program b [here-document, substitution]
    program cat HereDocument "…"
      program b [substitution]
    wrapper sh HereString "c; d"
      program c [here-document]
      program d [here-document]
    "#);
}

#[test]
fn a_function_is_none_until_it_is_defined_for_certain() {
    assert_snapshot!(shown("f; f() { a; }; f; env f; (g() { b; }); g"), @r"
    program f
    program a [function]
    function f
    wrapper env f
      program f [wrapped]
    program b [subshell, function]
    program g
    ");
}

#[test]
fn what_can_t_be_told_is_named() {
    assert_snapshot!(shown(
        "$CMD x; eval \"$x\"; . ./f; PATH=/x git; alias a=b; ls | sh; nice --strange x; hash -p /a b"
    ), @r#"
    program …… x
    wrapper eval …
    program . ./f
    program git PATH=/x
    program alias a=b
    program ls [pipeline]
    wrapper sh [pipeline]
    wrapper nice --strange x
    builtin hash -p /a b
    ? a program known only at run time: $CMD x
    ? shell text known only at run time: eval "$x"
    ? a file that the shell itself runs: . ./f
    ? a variable that decides what runs: PATH
    ? a name that gets another meaning: alias a=b
    ? a shell that reads its commands from its input: sh
    ? an option that is not known: nice --strange x
    ? a name that gets another meaning: hash -p /a b
    "#);
    assert_snapshot!(shown("a; b ("), @r"
    program a
    ? syntax that is not understood: at the end
    ");
}

#[test]
fn a_word_is_known_as_far_as_it_goes() {
    assert_snapshot!(shown("a *.c src/[ab] {x,y} ~/z \"$q\" p$q 'it'\"'s\" $'\\x41'\\ b"), @"program a …… src/…… …… … … p…… it's A b");
}
