use proptest::prelude::*;

use super::*;
#[test]
fn speed() {
    let mut log = Log::new(65536);
    let t = std::time::Instant::now();
    for _ in 0..2560 {
        log.stream(Writer::Stderr, &[46; 4096]);
    }
    panic!("{:?}", t.elapsed());
}
