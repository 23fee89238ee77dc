/// Answers what is asked of it to see whether the adapter's statements hold (see PROBES).
pub struct Service {
    clock: Clock,
    both: std::sync::Barrier,
    count: std::sync::Mutex<i32>,
}

impl Service {
    pub fn new(clock: Clock) -> Service {
        Service { clock, both: std::sync::Barrier::new(2), count: std::sync::Mutex::new(0) }
    }

    pub fn handle(&self, request: &Request) -> Envelope {
        Envelope { status: 200, body: self.answer(request) }
    }

    fn answer(&self, request: &Request) -> String {
        let quoted = |text: &Option<String>| text.as_ref().map_or("null".to_string(), |text| json::quoted(text));
        match request.path.as_str() {
            "/v1/platform" => r#"PROFILE"#.into(),
            "/together" => {
                self.both.wait();
                "{}".into()
            }
            "/body" => match std::str::from_utf8(request.body.as_ref().unwrap()) {
                Ok(text) => format!("{{\"text\": {}}}", json::quoted(text)),
                // One example of such bytes is enough: the standard library writes no base64.
                Err(_) if request.body == Some(vec![123, 255]) => r#"{"base64": "e/8="}"#.into(),
                Err(_) => "{}".into(),
            },
            "/sent" => format!(
                "{{\"body\": {},\n \"bearer\": {}, \"idempotencyKey\": {}}}",
                request.body.is_some(),
                quoted(&request.bearer),
                quoted(&request.idempotency_key)
            ),
            "/clock" => format!("{{\"nowMs\": {}}}", self.clock.now_ms()),
            "/count" => {
                let mut count = self.count.lock().unwrap();
                *count += 1;
                format!("{{\"count\": {}}}", count)
            }
            _ => panic!("the probe \"fails\"\n"),
        }
    }
}

