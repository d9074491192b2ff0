mod attributes;
mod background;
mod harness;
mod host;
mod long;
mod refusals;
mod stopping;
mod survivors;
