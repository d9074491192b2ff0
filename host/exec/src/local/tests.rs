mod attributes;
mod background;
mod harness;
mod long;
mod refusals;
mod stopping;
