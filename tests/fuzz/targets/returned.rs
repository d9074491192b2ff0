#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| spawnhook_hooks::fuzzing::returned(bytes));
