//! What a deployment has to grant a component for it to be loaded.

use bytes::Bytes;
use spawnhook_hooks::{
    FileKind, HookEngine, HookLimits, HookSpec, ImportStatus, Inspection, LoadFault,
};
use spawnhook_model::{FailureClass, Stage};

use crate::config::Profile;

/// What has to stand in the config of a hook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Needs {
    /// The stages that it can stand in; none if it can stand nowhere.
    pub stages: Vec<Stage>,
    /// Whose limits it starts within; none if within neither.
    pub profile: Option<Profile>,
    /// Whether it takes settings.
    pub takes_settings: bool,
    /// What it finds wrong with having no settings.
    pub missing_settings: Vec<String>,
    /// What keeps it from being loaded, whatever is granted.
    pub obstacle: Option<String>,
}

/// Finds out by loading it.
pub fn needs(engine: &HookEngine, bytes: &Bytes, inspection: &Inspection) -> Needs {
    let mut needs = Needs {
        stages: stages(inspection),
        profile: None,
        takes_settings: inspection
            .exports
            .iter()
            .any(|export| export.starts_with("spawnhook:hook/settings@")),
        missing_settings: Vec::new(),
        obstacle: None,
    };
    let Some(stage) = needs.stages.first().copied() else {
        return needs;
    };
    for (profile, limits) in [
        (Profile::Native, HookLimits::default()),
        (Profile::Interpreted, HookLimits::interpreted()),
    ] {
        let mut spec = HookSpec::new("inspected", stage, bytes.clone());
        spec.limits = limits;
        match engine.load(spec).map_err(|error| error.fault) {
            Ok(_) => needs.profile = Some(profile),
            Err(LoadFault::Settings(problems)) => {
                needs.profile = Some(profile);
                needs.missing_settings = problems;
            }
            Err(fault) if profile == Profile::Native && is_a_matter_of_size(&fault) => continue,
            Err(fault) => needs.obstacle = Some(fault.to_string()),
        }
        break;
    }
    needs
}

fn stages(inspection: &Inspection) -> Vec<Stage> {
    let audits = inspection.imports.iter();
    let needs_audit = audits
        .map(|import| import.status)
        .any(|status| status == ImportStatus::NeedsStageAudit);
    if inspection.kind != FileKind::Component || inspection.worlds.is_empty() {
        Vec::new()
    } else if needs_audit {
        vec![Stage::Audit]
    } else {
        vec![Stage::Rewrite, Stage::Guard]
    }
}

fn is_a_matter_of_size(fault: &LoadFault) -> bool {
    match fault {
        LoadFault::TooLarge { .. } => true,
        LoadFault::Start(failure) | LoadFault::Configure(failure) => matches!(
            failure.class,
            FailureClass::MemoryLimit | FailureClass::CpuLimit
        ),
        _ => false,
    }
}
