#!/usr/bin/env ruby
# frozen_string_literal: true

# The right service at its edges, and its speed.
require_relative "client"

CHECKS = []
def expect(what, wanted, seen)
  CHECKS << (wanted == seen)
  puts "#{wanted == seen ? 'ok  ' : 'FAIL'} #{what}#{" wanted #{wanted.inspect}, saw #{seen.inspect}" if wanted != seen}"
end

Client.open(ARGV[0] || "right") do |c|
  a = Creator.new
  b = c.login(a)
  text = JSON.generate(c.launch(a))
  expect "draft", 200, c.build(b, text).status
  expect "16 KiB", 200, c.build(b, text + " " * (16_384 - text.bytesize)).status
  expect "16 KiB and a byte", 413, c.build(b, text + " " * (16_385 - text.bytesize)).status
  c.start
  b = c.login(a)

  { "depth" => "[" * 16_000, "closed depth" => "[" * 8000 + "]" * 8000, "empty" => "", "comma" => text.sub("}", ",}"),
    "lone surrogate" => text.sub("Paper", '\ud83d'), "escape" => text.sub("Paper", '\q'), "two" => "#{text}#{text}",
    "control" => text.sub("Paper", "\u0001"), "number" => text.sub('"Paper Kite"', "01"), "word" => "nul" }.each do |what, body|
    expect "malformed: #{what}", [400, "INVALID_JSON_BODY"], c.build(b, body).then { |x| [x.status, x.code] }
  end
  raw = text.sub("Paper", "\xFF").b
  answer = c.handle(method: "POST", path: "/v1/launch/build", bodyBase64: [raw].pack("m0"), bearer: b, idempotencyKey: "k" * 8)
  expect "not UTF-8", [400, "INVALID_JSON_BODY"], [answer.status, answer.code]
  expect "deep value in a field", 400, c.build(b, c.launch(a, name: "x").merge(name: JSON.parse("[" * 90 + "]" * 90))).status

  { name: ["", "x" * 33, "é" * 17, 5, nil], symbol: ["", "x" * 11, "€€€€"], mint: ["", a.address, c.facts["operatorKey"], "1" * 31, "z" * 44, "0" * 40, "#{Creator.new.address}\n"],
    uri: ["http://#{c.facts['metadataHosts'][0]}/", "https://#{c.facts['metadataHosts'][0]}", "https://#{c.facts['metadataHosts'][0]}:443/", "https://u@#{c.facts['metadataHosts'][0]}/", "https://#{c.facts['metadataHosts'][0]}/#x", "https://other.example/", "https://#{c.facts['metadataHosts'][0]}.evil/", "https://#{c.facts['metadataHosts'][0]}/#{'x' * 200}"] }.each do |field, values|
    values.each { |value| expect "#{field} #{value.inspect[0, 50]}", 400, c.build(b, c.launch(a, field => value)).status }
  end
  expect "32 bytes of name, 200 of uri, escapes and order", [200, 200],
         [c.build(b, c.launch(a, name: "é" * 16, symbol: "0123456789", mint: "1" * 32, uri: "https://#{c.facts['metadataHosts'][1]}/".then { |u| u + "x" * (200 - u.bytesize) })).status,
          c.build(b, text.gsub("/", '\/').sub('"creator"', '"\u0063reator"'), "same-key-1").status]
  expect "retry in another order", true, c.build(b, JSON.generate(c.launch(a).to_a.reverse.to_h), "same-key-1").status == 200
  [nil, "short", "x" * 65, "good-key-1\n", "good key 1", "\u00e9" * 9].each { |key| expect "key #{key.inspect[0, 20]}", 400, c.build(b, text, key).status }
  [nil, "", "x", "Bearer #{b}", b.swapcase].each { |bearer| expect "bearer", 401, c.build(bearer, text).status }
  expect "five a minute", [200, 200, 200, 429], Array.new(4) { c.build(b, text).status }
  expect "retry at the limit", 200, c.build(b, text, "same-key-1").status
  c.advance(29_000)
  expect "retry within 30 s", 200, c.build(b, text, "same-key-1").status
  c.advance(2_000)
  expect "retry later", "REBUILD_WITH_NEW_KEY", c.build(b, text, "same-key-1").code
  c.advance(29_001)
  expect "a minute later", 200, c.build(b, text).status
  c.advance(3_600_000)
  expect "an hour later", [401, "UNAUTHORIZED"], c.build(b, text).then { |x| [x.status, x.code] }

  off_curve = (1..).lazy.map { |n| Base58.encode(([n] + [0] * 30 + [0x7f]).pack("C*")) }.first(12)
  off_curve.each do |creator|
    issued = c.challenge(creator)
    seen = Array.new(2) { c.verify(issued, "\2" * 64).code }
    expect "no key pair", %w[INVALID_PROOF EXPIRED_OR_USED_CHALLENGE], seen
  end
  [["", 400], ["A" * 48, 400], ["a" * 48 + "\n", 400], ["a" * 48, 401], [3, 400]].each do |id, status|
    expect "id #{id.inspect[0, 12]}", status, c.post("/v1/auth/verify", { id: id, signatureBase64: "A" * 86 + "==" }).status
  end
  ["A" * 86, "A" * 88, "A" * 84 + "!!==", "", 7, nil].each do |signature|
    expect "signature", 400, c.post("/v1/auth/verify", { id: "a" * 48, signatureBase64: signature }).status
  end
  ["/v1/launch/send", "/v1/launch/sign", "/v1/claim", "/", "", "/v1/launch/build/"].each do |path|
    %w[GET POST].each { |method| expect "#{method} #{path}", [404, "NO_EXECUTION_ENDPOINT"], c.handle(method: method, path: path).then { |x| [x.status, x.code] } }
  end

  c.start
  requests = Array.new(1000) { c.challenge(a) }.map { |issued| c.verify_request(issued, c.proof_of(a, issued)) }
  began = Process.clock_gettime(Process::CLOCK_MONOTONIC)
  requests.each_slice(100) { |slice| c.crowd(slice) }
  puts "verify: #{(1000 / (Process.clock_gettime(Process::CLOCK_MONOTONIC) - began)).round} a second"
  b = c.login(a)
  c.build(b, text, "same-key-1")
  began = Process.clock_gettime(Process::CLOCK_MONOTONIC)
  1000.times { c.build(b, text, "same-key-1") }
  puts "build: #{(1000 / (Process.clock_gettime(Process::CLOCK_MONOTONIC) - began)).round} a second, one after another"
end
abort "#{CHECKS.count(false)} failed" if CHECKS.include?(false)
puts "#{CHECKS.size} hold"
