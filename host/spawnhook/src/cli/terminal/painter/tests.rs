//! What is painted, on a terminal that somebody else wrote.

mod properties;

use super::super::super::pieces::Pieces;
use super::*;

const ABLE: Abilities = Abilities {
    moves: true,
    colors: true,
};

/// A terminal with everything that has gone over its upper edge.
struct Screen {
    terminal: vt100::Parser,
    size: Size,
}

impl Screen {
    fn new(columns: usize, rows: usize) -> Self {
        let narrow = |count: usize| u16::try_from(count).unwrap().try_into().unwrap();
        Self {
            terminal: vt100::Parser::new(narrow(rows), narrow(columns), 10_000),
            size: Size { columns, rows },
        }
    }

    /// The system adds a carriage return to every newline.
    fn write(&mut self, text: &str) {
        self.terminal.process(text.replace('\n', "\r\n").as_bytes());
    }

    fn paint(&mut self, paint: &Paint) {
        for text in [&paint.before, &paint.output, &paint.after] {
            self.write(text);
        }
    }

    /// Every row, without empty ones at the end.
    fn rows(&mut self) -> Vec<String> {
        let width = u16::try_from(self.size.columns).unwrap();
        let screen = self.terminal.screen_mut();
        screen.set_scrollback(usize::MAX);
        let mut rows = Vec::new();
        for above in (1..=screen.scrollback()).rev() {
            screen.set_scrollback(above);
            rows.extend(screen.rows(0, width).next());
        }
        screen.set_scrollback(0);
        rows.extend(screen.rows(0, width));
        while rows.last().is_some_and(String::is_empty) {
            rows.pop();
        }
        rows
    }

    fn cursor(&self) -> (u16, u16) {
        self.terminal.screen().cursor_position()
    }
}

/// A painter at work on a terminal, and one that was just written to.
struct Trial {
    painter: Painter,
    pieces: Pieces,
    screen: Screen,
    written: Vec<u8>,
}

impl Trial {
    fn new(columns: usize, rows: usize, fold: bool, abilities: Abilities) -> Self {
        let screen = Screen::new(columns, rows);
        Self {
            painter: Painter::new(abilities, fold, screen.size),
            pieces: Pieces::default(),
            screen,
            written: Vec::new(),
        }
    }

    fn output(&mut self, text: &str) {
        self.written.extend(text.as_bytes());
        self.pieces.push(text.as_bytes());
        let paint = self.painter.output(&self.pieces.take(), self.screen.size);
        self.screen.paint(&paint);
    }

    fn tick(&mut self, status: Option<&str>) {
        let paint = self.painter.tick(status, self.screen.size);
        self.screen.paint(&paint);
    }

    fn end(&mut self) {
        self.pieces.finish();
        let size = self.screen.size;
        let paint = self.painter.output(&self.pieces.take(), size);
        self.screen.paint(&paint);
        let paint = self.painter.end(size);
        self.screen.paint(&paint);
    }

    /// The output so far, as it would be without us.
    fn text(&self) -> String {
        let (mut cleaner, mut text) = (spawnhook_exec::Cleaner::new(), String::new());
        cleaner.push(&self.written, &mut text);
        text
    }

    fn plain(&self) -> Screen {
        let mut plain = Screen::new(self.screen.size.columns, self.screen.size.rows);
        plain.write(&self.text());
        plain
    }
}

fn rows(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

#[test]
fn the_status_stands_below_the_output_and_moves_along() {
    let mut trial = Trial::new(20, 4, false, ABLE);
    trial.output("one\ntw");
    trial.tick(Some("Elapsed 1s"));
    assert_eq!(trial.screen.rows(), rows(&["one", "tw", "Elapsed 1s"]));
    assert_eq!(trial.screen.cursor(), (1, 2));
    trial.output("o\n");
    assert_eq!(trial.screen.rows(), rows(&["one", "two", "Elapsed 1s"]));
    trial.tick(Some("Elapsed 2s, which is more than has room"));
    assert_eq!(
        trial.screen.rows(),
        rows(&["one", "two", "Elapsed 2s, which i"])
    );
    trial.output("3\n4\n5\n6");
    assert_eq!(trial.screen.rows().last().unwrap(), "Elapsed 2s, which i");
    trial.end();
    assert_eq!(
        trial.screen.rows(),
        rows(&["one", "two", "3", "4", "5", "6"])
    );
    assert_eq!(trial.screen.cursor(), (3, 0));
}

#[test]
fn a_progress_bar_is_drawn_in_its_place_however_many_rows_it_takes() {
    let mut trial = Trial::new(10, 8, false, ABLE);
    trial.output("a\n0123456789012345");
    trial.tick(Some("Elapsed"));
    trial.output("\rxyz");
    assert_eq!(trial.screen.rows(), rows(&["a", "xyz", "Elapsed"]));
    trial.end();
    assert_eq!(trial.screen.rows(), rows(&["a", "xyz"]));
}

#[test]
fn of_a_folded_output_the_end_is_seen_while_it_grows() {
    let mut trial = Trial::new(20, 24, true, ABLE);
    trial.output("1\n2\n3\n");
    trial.tick(None);
    assert_eq!(trial.screen.rows(), rows(&["1", "2", "3"]));
    trial.output("4\n5\n6\n7");
    trial.tick(Some("Elapsed 1s"));
    let expected = ["… 2 lines above", "3", "4", "5", "6", "7", "Elapsed 1s"];
    assert_eq!(trial.screen.rows(), rows(&expected));
    assert_eq!(trial.screen.cursor(), (0, 0));
    trial.end();
    assert_eq!(trial.screen.rows(), rows(&expected[..6]));
    assert_eq!(trial.screen.cursor(), (6, 0));
}

#[test]
fn a_terminal_that_has_got_another_size_is_drawn_anew() {
    let mut trial = Trial::new(20, 24, true, ABLE);
    trial.output(&"x".repeat(40));
    trial.tick(Some("Elapsed 1s"));
    trial.screen.size.columns = 10;
    let (rows_now, columns_now) = (24.try_into().unwrap(), 10.try_into().unwrap());
    let screen = trial.screen.terminal.screen_mut();
    screen.set_size(rows_now, columns_now);
    trial.tick(Some("Elapsed 1s"));
    let row = "x".repeat(10);
    assert_eq!(
        trial.screen.rows(),
        rows(&[&row, &row, &row, &row, "Elapsed 1"])
    );
}

#[test]
fn a_terminal_whose_cursor_stays_gets_nothing_but_text() {
    let dumb = Abilities {
        moves: false,
        colors: false,
    };
    let text = |fold| {
        let mut painter = Painter::new(dumb, fold, Size::told(0, 0));
        let mut pieces = Pieces::default();
        let mut text = String::new();
        let mut add = |paint: Paint| text += &[paint.before, paint.output, paint.after].concat();
        for chunk in ["1\n2\n3\n10%", "\r20%", "\n5\n6\n7"] {
            pieces.push(chunk.as_bytes());
            add(painter.output(&pieces.take(), Size::told(0, 0)));
            add(painter.tick(Some("Elapsed 1s"), Size::told(0, 0)));
        }
        add(painter.end(Size::told(0, 0)));
        text
    };
    assert_eq!(text(false), "1\n2\n3\n10%\n20%\n5\n6\n7\n");
    assert_eq!(text(true), "… 2 lines above\n3\n20%\n5\n6\n7\n");
}

#[test]
fn without_colors_nothing_is_colored() {
    let plain = Abilities {
        moves: true,
        colors: false,
    };
    for (abilities, colored) in [(ABLE, true), (plain, false)] {
        let mut painter = Painter::new(abilities, false, Size::told(0, 0));
        let paint = painter.tick(Some("Elapsed 1s"), Size::told(0, 0));
        assert_eq!(paint.after.contains("\x1b[2m"), colored);
    }
}

#[test]
fn what_is_hidden_comes_back() {
    for fold in [false, true] {
        let mut trial = Trial::new(20, 24, fold, ABLE);
        trial.output("1\n");
        trial.tick(Some("Elapsed 1s"));
        let hidden = trial.painter.hide();
        trial.screen.paint(&hidden);
        let left: &[&str] = if fold { &[] } else { &["1"] };
        assert_eq!(trial.screen.rows(), rows(left));
        trial.tick(Some("Elapsed 1s"));
        assert_eq!(trial.screen.rows(), rows(&["1", "Elapsed 1s"]));
    }
}
