use proptest::prelude::*;

use self::replay::replay;
use super::{answer, chain, load, returned};

#[path = "../../../../tests/fuzz/replay.rs"]
mod replay;

#[test]
fn what_fuzzers_have_found_stays_right() {
    replay("answer", answer);
    replay("chain", chain);
    replay("load", load);
    replay("returned", returned);
}

proptest! {
    #[test]
    fn any_answer_is_judged_as_simpler_code_judges_it(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        answer(&bytes);
    }

    #[test]
    fn any_result_in_memory_is_read_as_simpler_code_reads_it(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        returned(&bytes);
    }

    #[test]
    fn any_chain_does_what_the_model_says(bytes in prop::collection::vec(any::<u8>(), 24)) {
        chain(&bytes);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn any_file_is_refused_in_words_or_is_a_hook_that_harms_nobody(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
        load(&bytes);
    }
}
