//! Skeleton of an adapter for the conformance kit: JSON-RPC 2.0, one message a line, Rust 1.63 or later and no crate.
//! Rust has no JSON of its own: part 4 reads what the kit sends, and your service writes its bodies as it always does.
//! Fill in parts 1 and 2.

use std::collections::HashMap;
use std::io::{BufRead, Write};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::Arc;
use std::thread::{self, JoinHandle};

// ---- 1. YOUR SERVICE: replace what stands here.

/// A service with empty state. It reads no other clock than the one it is given.
pub struct Service {
    _clock: Clock,
    // Put what requests share into a Mutex here: several are answered at once.
}

impl Service {
    pub fn new(clock: Clock) -> Service {
        Service { _clock: clock }
    }

    /// Gives the status, and the text of the body, which is JSON.
    pub fn handle(&self, request: &Request) -> Envelope {
        match (request.method.as_str(), request.path.as_str()) {
            ("GET", "/v1/platform") => Envelope {
                status: 200,
                body: r#"{"mode": "OFFLINE_PROTOTYPE", "productionApproved": false}"#.into(),
            },
            _ => Envelope {
                status: 404,
                body: r#"{"code": "NO_EXECUTION_ENDPOINT", "productionApproved": false}"#.into(),
            },
        }
    }
}

// ---- 2. WHAT THE KIT CANNOT SEE: replace what is not so.
// "capabilities": what is left out by one, the kit accepts by name: --allow-untried capability:concurrency. "instances" is
// how many services may live side by side, which is how the kit hides the time that requests take.
// "facts": your two metadata hosts; "operatorKey", "signedBytes" and "capacity" may be added. Clients sign the message of a
// challenge as UTF-8 unless "signedBytes" says "hex", "base64", "sha256", or "adapter": then answer the method
// "bytesToSign", whose params are {"message"}, with {"base64"} of those bytes.

const ABOUT: &str = r#"{
    "protocol": 1,
    "implementation": {"name": "my-service", "version": "0.0.0", "language": "Rust"},
    "capabilities": {"clock": "virtual", "restart": true, "rawBody": true, "concurrency": true, "instances": 16},
    "facts": {"metadataHosts": ["metadata-one.example", "metadata-two.example"]}
}"#;

// ---- 3. THE PROTOCOL: stays as it is. What is printed goes to the log by eprintln!: println! would mix with the answers.

/// What a client sent: the body as its exact bytes.
#[allow(dead_code)]
pub struct Request {
    pub method: String,
    pub path: String,
    pub body: Option<Vec<u8>>,
    pub bearer: Option<String>,
    pub idempotency_key: Option<String>,
}

/// The answer: an HTTP status, and the JSON text of the body.
pub struct Envelope {
    pub status: u16,
    pub body: String,
}

/// The clock that a service reads.
#[derive(Clone)]
pub struct Clock(Arc<AtomicI64>);

#[allow(dead_code)]
impl Clock {
    /// Milliseconds since the Unix epoch.
    pub fn now_ms(&self) -> i64 {
        self.0.load(Ordering::SeqCst)
    }
}

const PARSE_ERROR: i32 = -32700;
const NO_METHOD: i32 = -32601;
const INVALID_PARAMS: i32 = -32602;
const INTERNAL_ERROR: i32 = -32603;
const LAST_MS: i64 = 253_402_214_400_000;

/// A message that is answered with an error: its code and its text.
struct RpcError(i32, String);

/// A service on a clock of its own, and its requests that are not answered yet.
struct Instance {
    clock: Clock,
    service: Arc<Service>,
    under_way: Vec<JoinHandle<()>>,
}

/// The services, by the names that start gave.
type Instances = HashMap<String, Instance>;

fn main() {
    let mut instances = Instances::new();
    for line in std::io::stdin().lock().split(b'\n') {
        let message = match line {
            Ok(line) => String::from_utf8(line)
                .ok()
                .and_then(|text| json::read(&text))
                .unwrap_or(json::Value::Null),
            Err(_) => return,
        };
        let method = match message.get("method").and_then(json::Value::text) {
            Some(method) => method,
            None => {
                write(
                    "null",
                    Err(RpcError(
                        PARSE_ERROR,
                        "the line is no request in JSON".into(),
                    )),
                );
                continue;
            }
        };
        let id = message
            .get("id")
            .map_or("null".into(), json::Value::id_text);
        let nothing = json::Value::Null;
        let params = message.get("params").unwrap_or(&nothing);
        let named = params
            .get("service")
            .and_then(json::Value::text)
            .and_then(|name| instances.get_mut(&name));
        if let Some(instance) = named {
            if method == "handle" {
                // Requests are answered as they are done.
                instance.under_way.retain(|one| !one.is_finished());
                let service = Arc::clone(&instance.service);
                let asked = request_of(params);
                instance.under_way.push(thread::spawn(move || {
                    write(&id, asked.and_then(|asked| handle(&service, &asked)))
                }));
                continue;
            }
            // Every other message to a service waits for them.
            instance
                .under_way
                .drain(..)
                .for_each(|one| drop(one.join()));
        }
        write(&id, answer(&mut instances, &method, params));
        if method == "shutdown" {
            return;
        }
    }
}

fn handle(service: &Service, request: &Request) -> Result<String, RpcError> {
    match catch_unwind(AssertUnwindSafe(|| service.handle(request))) {
        Ok(Envelope { status, body }) => Ok(format!(r#"{{"status":{},"body":{}}}"#, status, body)),
        Err(reason) => {
            let text = reason.downcast_ref::<&str>().map(|text| text.to_string());
            let text = text
                .or_else(|| reason.downcast_ref::<String>().cloned())
                .unwrap_or_else(|| "a panic".into());
            Err(RpcError(
                INTERNAL_ERROR,
                format!("the service failed: {}", text),
            ))
        }
    }
}

fn answer(
    instances: &mut Instances,
    method: &str,
    params: &json::Value,
) -> Result<String, RpcError> {
    match method {
        "initialize" => Ok(ABOUT.into()),
        "start" => {
            // A new service, or one in the place of the one that is named.
            let name = match params.get("service") {
                None | Some(json::Value::Null) => format!("service-{}", instances.len() + 1),
                Some(_) => instance_of(instances, params)?.0,
            };
            let clock = Clock(Arc::new(AtomicI64::new(moment(0, params.get("nowMs"))?)));
            let service = Arc::new(Service::new(clock.clone()));
            instances.insert(
                name.clone(),
                Instance {
                    clock,
                    service,
                    under_way: Vec::new(),
                },
            );
            Ok(format!(r#"{{"service":{}}}"#, json::quoted(&name)))
        }
        "advance" => {
            let (_, instance) = instance_of(instances, params)?;
            let now_ms = moment(instance.clock.now_ms(), params.get("ms"))?;
            instance.clock.0.store(now_ms, Ordering::SeqCst);
            Ok(format!(r#"{{"nowMs":{}}}"#, now_ms))
        }
        // Of a service that there is, it is answered beside this.
        "handle" => instance_of(instances, params).map(|_| String::new()),
        "shutdown" => Ok("{}".into()),
        _ => Err(RpcError(NO_METHOD, format!("no method {:?}", method))),
    }
}

fn instance_of<'a>(
    instances: &'a Instances,
    params: &json::Value,
) -> Result<(String, &'a Instance), RpcError> {
    let name = params
        .get("service")
        .and_then(json::Value::text)
        .unwrap_or_default();
    match instances.get(&name) {
        Some(instance) => Ok((name, instance)),
        None => Err(RpcError(
            INVALID_PARAMS,
            format!("no service {:?}: start gives the name of one", name),
        )),
    }
}

fn moment(from: i64, ms: Option<&json::Value>) -> Result<i64, RpcError> {
    match ms {
        Some(json::Value::Number(ms))
            if ms.fract() == 0.0 && *ms >= 0.0 && *ms <= (LAST_MS - from) as f64 =>
        {
            Ok(from + *ms as i64)
        }
        _ => Err(RpcError(
            INVALID_PARAMS,
            "times are in milliseconds, and end with the year 9999".into(),
        )),
    }
}

fn request_of(params: &json::Value) -> Result<Request, RpcError> {
    let text = |name: &str| params.get(name).and_then(json::Value::text);
    let wanted = |name: &str| {
        text(name).ok_or_else(|| RpcError(INVALID_PARAMS, format!("{} must be a text", name)))
    };
    let body = match text("bodyBase64") {
        Some(encoded) => Some(from_base64(&encoded)),
        None => text("body").map(String::into_bytes),
    };
    let (method, path) = (wanted("method")?, wanted("path")?);
    Ok(Request {
        method,
        path,
        body,
        bearer: text("bearer"),
        idempotency_key: text("idempotencyKey"),
    })
}

/// The bytes of standard base64; what is none of its digits is passed over.
fn from_base64(text: &str) -> Vec<u8> {
    let digits = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut bytes, mut held, mut bits) = (Vec::new(), 0u32, 0);
    for digit in text
        .bytes()
        .filter_map(|c| digits.iter().position(|&digit| digit == c))
    {
        held = (held << 6 | digit as u32) & 0xffff;
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes.push((held >> bits) as u8);
        }
    }
    bytes
}

fn write(id: &str, outcome: Result<String, RpcError>) {
    let member = match outcome {
        Ok(result) => format!(r#""result":{}"#, result),
        Err(RpcError(code, message)) => format!(
            r#""error":{{"code":{},"message":{}}}"#,
            code,
            json::quoted(&message)
        ),
    };
    let message = format!(r#"{{"jsonrpc":"2.0","id":{},{}}}"#, id, member);
    // JSON has line breaks between values only, where a space does as well.
    let line = message.replace(&['\n', '\r'][..], " ") + "\n";
    let mut out = std::io::stdout().lock();
    // Nobody is left to be told where the kit has gone.
    let _ = out.write_all(line.as_bytes()).and_then(|()| out.flush());
}

// ---- 4. JSON: stays as it is, or gives way to serde_json where you have it.

mod json {
    pub enum Value {
        Null,
        Bool,
        Number(f64),
        Text(String),
        Array,
        Object(Vec<(String, Value)>),
    }

    impl Value {
        /// A member of an object.
        pub fn get(&self, name: &str) -> Option<&Value> {
            match self {
                Value::Object(members) => members
                    .iter()
                    .rev()
                    .find(|member| member.0 == name)
                    .map(|member| &member.1),
                _ => None,
            }
        }

        pub fn text(&self) -> Option<String> {
            match self {
                Value::Text(text) => Some(text.clone()),
                _ => None,
            }
        }

        /// The id of a message, as it is written.
        pub fn id_text(&self) -> String {
            match self {
                Value::Number(number) => number.to_string(),
                Value::Text(text) => quoted(text),
                _ => "null".into(),
            }
        }
    }

    /// A text as JSON writes it.
    pub fn quoted(text: &str) -> String {
        let mut out = String::from("\"");
        for c in text.chars() {
            match c {
                '"' | '\\' => out.extend(['\\', c]),
                '\0'..='\x1f' => out += &format!("\\u{:04x}", c as u32),
                _ => out.push(c),
            }
        }
        out + "\""
    }

    /// Reads a value; None where the text is no JSON.
    pub fn read(text: &str) -> Option<Value> {
        let mut reader = Reader { text, at: 0 };
        let value = reader.value()?;
        reader.space();
        (reader.at == text.len()).then(|| value)
    }

    struct Reader<'a> {
        text: &'a str,
        at: usize,
    }

    impl Reader<'_> {
        fn value(&mut self) -> Option<Value> {
            self.space();
            match self.peek()? {
                b'{' => {
                    let mut members = Vec::new();
                    self.at += 1;
                    self.space();
                    while !self.took(b'}') {
                        if !members.is_empty() && !self.took(b',') {
                            return None;
                        }
                        self.space();
                        let name = self.string()?;
                        self.space();
                        if !self.took(b':') {
                            return None;
                        }
                        members.push((name, self.value()?));
                        self.space();
                    }
                    Some(Value::Object(members))
                }
                b'[' => {
                    let mut first = true;
                    self.at += 1;
                    self.space();
                    while !self.took(b']') {
                        if !first && !self.took(b',') {
                            return None;
                        }
                        first = false;
                        self.value()?;
                        self.space();
                    }
                    Some(Value::Array)
                }
                b'"' => self.string().map(Value::Text),
                _ => self.word(),
            }
        }

        fn word(&mut self) -> Option<Value> {
            let rest = &self.text[self.at..];
            let word = &rest[..rest
                .find(|c| ",]} \t\r\n".contains(c))
                .unwrap_or(rest.len())];
            self.at += word.len();
            match word {
                "null" => Some(Value::Null),
                "true" | "false" => Some(Value::Bool),
                _ => word.parse().ok().map(Value::Number),
            }
        }

        fn string(&mut self) -> Option<String> {
            if !self.took(b'"') {
                return None;
            }
            let mut units = Vec::new();
            loop {
                let c = self.text[self.at..].chars().next()?;
                self.at += c.len_utf8();
                match c {
                    '"' => return String::from_utf16(&units).ok(),
                    '\\' => {
                        let escaped = self.peek()?;
                        self.at += 1;
                        units.push(match escaped {
                            b'b' => 8,
                            b'f' => 12,
                            b'n' => 10,
                            b'r' => 13,
                            b't' => 9,
                            b'u' => {
                                self.at += 4;
                                u16::from_str_radix(self.text.get(self.at - 4..self.at)?, 16)
                                    .ok()?
                            }
                            b'"' | b'\\' | b'/' => escaped.into(),
                            _ => return None,
                        });
                    }
                    _ => units.extend(c.encode_utf16(&mut [0; 2]).iter()),
                }
            }
        }

        fn space(&mut self) {
            while matches!(self.peek(), Some(b' ' | b'\t' | b'\r' | b'\n')) {
                self.at += 1;
            }
        }

        fn peek(&self) -> Option<u8> {
            self.text.as_bytes().get(self.at).copied()
        }

        fn took(&mut self, wanted: u8) -> bool {
            let there = self.peek() == Some(wanted);
            self.at += there as usize;
            there
        }
    }
}
