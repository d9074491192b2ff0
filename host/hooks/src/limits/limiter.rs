use wasmtime::ResourceLimiter;

use super::{INSTANCES, MEMORIES, TABLE_ELEMENTS, TABLES};

/// Sums what all memories and all tables of a store hold, and refuses what goes beyond a limit.
#[derive(Debug)]
pub(crate) struct Limiter {
    memory_bytes: Total,
    table_elements: Total,
    refused: Option<Refused>,
}

/// A growth that was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{resource:?}: {asked} asked for, {limit} allowed")]
pub(crate) struct Refused {
    pub(crate) resource: Resource,
    /// The sum that the growth would have led to.
    pub(crate) asked: usize,
    pub(crate) limit: usize,
}

/// What can grow in a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Resource {
    /// Linear memory, in bytes.
    Memory,
    /// Tables, in elements.
    Tables,
}

#[derive(Debug)]
struct Total {
    resource: Resource,
    used: usize,
    limit: usize,
}

impl Total {
    fn grow(&mut self, current: usize, desired: usize) -> Result<(), Refused> {
        let asked = self.used.saturating_sub(current).saturating_add(desired);
        if asked > self.limit {
            return Err(Refused {
                resource: self.resource,
                asked,
                limit: self.limit,
            });
        }
        self.used = asked;
        Ok(())
    }
}

impl Limiter {
    pub(crate) fn new(memory_bytes: u64) -> Self {
        let total = |resource, limit| Total {
            resource,
            used: 0,
            limit,
        };
        Self {
            memory_bytes: total(
                Resource::Memory,
                usize::try_from(memory_bytes).unwrap_or(usize::MAX),
            ),
            table_elements: total(Resource::Tables, TABLE_ELEMENTS),
            refused: None,
        }
    }

    /// The bytes that all memories hold together.
    pub(crate) fn memory_bytes(&self) -> u64 {
        self.memory_bytes.used as u64
    }

    /// The first growth that was refused.
    pub(crate) fn refused(&self) -> Option<Refused> {
        self.refused
    }

    /// A refusal ends the call: a guest that is merely told of it would abort with some other
    /// message, or would try smaller steps.
    fn end(&mut self, growth: Result<(), Refused>) -> wasmtime::Result<bool> {
        match growth {
            Ok(()) => Ok(true),
            Err(refused) => {
                self.refused.get_or_insert(refused);
                Err(refused.into())
            }
        }
    }
}

impl ResourceLimiter for Limiter {
    fn memory_growing(
        &mut self,
        current: usize,
        desired: usize,
        _maximum: Option<usize>,
    ) -> wasmtime::Result<bool> {
        let growth = self.memory_bytes.grow(current, desired);
        self.end(growth)
    }

    fn table_growing(
        &mut self,
        current: usize,
        desired: usize,
        _maximum: Option<usize>,
    ) -> wasmtime::Result<bool> {
        let growth = self.table_elements.grow(current, desired);
        self.end(growth)
    }

    fn instances(&self) -> usize {
        INSTANCES
    }

    fn memories(&self) -> usize {
        MEMORIES
    }

    fn tables(&self) -> usize {
        TABLES
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn all_memories_together_stay_within_the_limit(
            steps in prop::collection::vec((0_usize..4, 0_usize..400), 0..40),
        ) {
            let mut limiter = Limiter::new(1000);
            let mut sizes = [0; 4];
            for (memory, growth) in steps {
                let desired = sizes[memory] + growth;
                let fits = sizes.iter().sum::<usize>() + growth <= 1000;
                let grown = limiter.memory_growing(sizes[memory], desired, None);
                prop_assert_eq!(grown.is_ok(), fits);
                if fits {
                    sizes[memory] = desired;
                }
            }
        }
    }

    #[test]
    fn the_first_refusal_is_kept() {
        let mut limiter = Limiter::new(10);
        assert!(limiter.memory_growing(0, 11, None).is_err());
        assert!(limiter.memory_growing(0, 99, None).is_err());
        assert_eq!(
            limiter.refused(),
            Some(Refused {
                resource: Resource::Memory,
                asked: 11,
                limit: 10
            })
        );
    }

    #[test]
    fn tables_are_summed_as_well() {
        let mut limiter = Limiter::new(0);
        assert!(limiter.table_growing(0, TABLE_ELEMENTS, None).is_ok());
        assert!(limiter.table_growing(0, 1, None).is_err());
    }
}
