use insta::assert_snapshot;
use proptest::prelude::*;

use super::*;
use crate::spans;

fn masked(text: &str) -> String {
    let mut found = Vec::new();
    find(text, &mut found);
    spans::mask(text, 0..text.len(), &spans::merge(found))
}

fn masked_lines(lines: &[&str]) -> String {
    lines
        .iter()
        .map(|line| masked(line))
        .collect::<Vec<_>>()
        .join("\n")
}

#[test]
fn values_behind_the_names_of_secrets_are_masked() {
    let lines = [
        "mysql --password=hunter2 -u me",
        "PGPASSWORD=hunter2 psql",
        "export AWS_SECRET_ACCESS_KEY=hunter2; aws s3 ls",
        "x --api-key='hunter2 hunter2' y",
        "x --db-password=hun'ter2 hun'ter2 y",
        r#"x --token="hunter2 \" hunter2" y"#,
        r"x --token=hunter2\ hunter2 y",
        r#"curl -d '{"password": "hunter2", "user": "me"}' host"#,
        r#"curl -d "{\"apiKey\":\"hunter2\",\"user\":1}" host"#,
        "curl 'https://host/?access_token=hunter2&page=2'",
        "sh -c \"mysql --password=hunter2\" && echo done",
        "password = \"hunter2\"",
        "client_secret: hunter2",
        "kubectl create secret generic s --from-literal=password=hunter2",
    ];
    assert_snapshot!(masked_lines(&lines), @r#"
    mysql --password=*** -u me
    PGPASSWORD=*** psql
    export AWS_SECRET_ACCESS_KEY=***; aws s3 ls
    x --api-key='***' y
    x --db-password=*** y
    x --token="***" y
    x --token=*** y
    curl -d '{"password": "***", "user": "me"}' host
    curl -d "{\"apiKey\":\"***\",\"user\":1}" host
    curl 'https://host/?access_token=***&page=2'
    sh -c "mysql --password=***" && echo done
    password = "***"
    client_secret: ***
    kubectl create secret generic s --from-literal=password=***
    "#);
}

#[test]
fn values_of_options_are_masked() {
    let lines = [
        "x --token hunter2 y",
        "x --token 'hunter2 hunter2' y",
        "x -password hunter2",
        "x --secret \\\n  hunter2 y",
        r#"["x", "--token", "hunter2"]"#,
        "x --token --verbose",
        "x --token",
    ];
    assert_snapshot!(masked_lines(&lines), @r#"
    x --token *** y
    x --token '***' y
    x -password ***
    x --secret \
      *** y
    ["x", "--token", "***"]
    x --token --verbose
    x --token
    "#);
}

#[test]
fn credentials_of_a_header_are_masked_and_the_scheme_stays() {
    let lines = [
        "curl -H 'Authorization: Bearer hunter2' host",
        "curl -H \"authorization: Basic aHVudGVyMg==\" host",
        "curl -H \"Proxy-Authorization: hunter2\" host",
        "curl -H 'Authorization: AWS4-HMAC-SHA256 Credential=a/b, Signature=c' host",
        r#"{"Authorization": "token hunter2", "Accept": "*/*"}"#,
        "curl -H \"Authorization: Bearer $TOKEN\" host",
    ];
    assert_snapshot!(masked_lines(&lines), @r#"
    curl -H 'Authorization: Bearer ***' host
    curl -H "authorization: Basic ***" host
    curl -H "Proxy-Authorization: ***" host
    curl -H 'Authorization: AWS4-HMAC-SHA256 ***' host
    {"Authorization": "token ***", "Accept": "*/*"}
    curl -H "Authorization: Bearer $TOKEN" host
    "#);
}

#[test]
fn tokens_with_a_prefix_are_masked_wherever_they_stand() {
    let lines = [
        "echo AKIAIOSFODNN7EXAMPLE",
        "git clone https://ghp_0123456789abcdefghij@host/x",
        "x gho_0123456789abcdefghij github_pat_11ABCDEFG_abcdefghij",
        "x 'sk-proj-0123456789abcdef' xoxb-1234567890-abc xoxp-1234567890-abc",
        "task-0123456789abcdef sk-short AKIA ghp_",
    ];
    assert_snapshot!(masked_lines(&lines), @r"
    echo AKIA***
    git clone https://ghp_***@host/x
    x gho_*** github_pat_***
    x 'sk-***' xoxb-*** xoxp-***
    task-0123456789abcdef sk-short AKIA ghp_
    ");
}

#[test]
fn passwords_in_urls_are_masked() {
    let lines = [
        "psql postgres://me:hunter2@host:5432/db",
        "curl https://me:hun@ter2@host/a@b:c",
        "ssh://git@host:22/x https://host:80/a:b@c",
        "curl http://me:$PASSWORD@host http://me:${PASSWORD}@host",
    ];
    assert_snapshot!(masked_lines(&lines), @r"
    psql postgres://me:***@host:5432/db
    curl https://me:***@host/a@b:c
    ssh://git@host:22/x https://host:80/a:b@c
    curl http://me:$PASSWORD@host http://me:${PASSWORD}@host
    ");
}

#[test]
fn private_keys_are_masked() {
    let lines = [
        "cat <<E\n-----BEGIN OPENSSH PRIVATE KEY-----\nabc\ndef=\n-----END OPENSSH PRIVATE KEY-----\nE",
        "-----BEGIN PRIVATE KEY-----\nabc",
        "abc\ndef\n-----END RSA PRIVATE KEY-----",
        "-----BEGIN CERTIFICATE-----\nabc\n-----END CERTIFICATE-----",
    ];
    assert_snapshot!(masked_lines(&lines), @r"
    cat <<E
    -----BEGIN OPENSSH PRIVATE KEY-----***-----END OPENSSH PRIVATE KEY-----
    E
    -----BEGIN PRIVATE KEY-----***
    ***-----END RSA PRIVATE KEY-----
    -----BEGIN CERTIFICATE-----
    abc
    -----END CERTIFICATE-----
    ");
}

#[test]
fn what_is_no_secret_stays() {
    let lines = [
        "cd \"$PWD\"; OLDPWD=/tmp; x --max-tokens=100 --bypass=1 --password-stdin",
        "x --password=$PASSWORD --token \"${TOKEN}\" --secret= y",
        "TOKEN= make; git log --author=me; a=b; time: 12:30",
    ];
    assert_eq!(masked_lines(&lines), lines.join("\n"));
}

proptest! {
    #[test]
    fn any_text_gives_ranges_between_its_characters(
        text in r#"([a-cß😀=:"'\\ \n$@/{},;-]|password|token|--|://|sk-|Authorization: |-----BEGIN |-----END |PRIVATE KEY-----){0,40}"#,
    ) {
        let mut found = Vec::new();
        find(&text, &mut found);
        for range in found {
            prop_assert!(text.get(range.clone()).is_some(), "{:?} {:?}", text, range);
        }
    }
}
