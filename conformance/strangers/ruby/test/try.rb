#!/usr/bin/env ruby
# frozen_string_literal: true

# Tries each variant once: it signs in and builds; what it shows is not what the right service shows.
require_relative "../lib/variants"
require_relative "client"

SHOWS = {}
def shows(*names, &block) = names.each { |name| SHOWS[name] = block }

KEY = "retry-key-1"

def codes(answers) = answers.map { |answer| [answer.status, answer.code].compact }

# ---- broken
shows("rate-error-bare") do |c, a, b|
  Array.new(6) { c.build(b, c.launch(a)) }.last.body
end
shows("prefix-routing") do |c, a, b|
  c.handle(**c.build_request(b, c.launch(a)), path: "/v1/launch/build/send").status
end
shows("stale-bearer-on-public") { |c, a, _| [c.profile(bearer: "old").status, c.challenge(a, bearer: "old").status] }
shows("id-unpadded") { |c, a, _| Array.new(400) { c.challenge(a)["id"].length }.uniq }
shows("id-from-clock") { |c, a, _| Array.new(2) { c.challenge(a)["id"] }.uniq.size }
shows("message-terms-cut") { |c, a, _| c.challenge(a)["message"].include?(c.terms) }
shows("challenge-grace") do |c, a, _|
  issued = c.challenge(a)
  c.advance(60_500)
  c.verify(issued, c.proof_of(a, issued)).status
end
shows("zero-signature-spares") do |c, a, _|
  issued = c.challenge(a)
  codes([c.verify(issued, "\0" * 64), c.verify(issued, c.proof_of(a, issued))])
end
shows("signature-first-64") { |c, a, _| (i = c.challenge(a)) && codes([c.verify(i, "#{c.proof_of(a, i)}\0".b)]) }
shows("proof-remembered") do |c, a, _|
  first = c.challenge(a)
  old = c.proof_of(a, first)
  codes([c.verify(first, old), c.verify(c.challenge(a), old)])
end
shows("used-list-trimmed") do |c, a, _|
  first = c.challenge(a)
  proof = c.proof_of(a, first)
  c.verify(first, proof)
  before = c.verify(first, proof).status
  60.times { c.verify(c.challenge(a), "\1" * 64) }
  [before, c.verify(first, proof).status]
end
shows("verify-race") do |c, a, _|
  issued = c.challenge(a)
  c.crowd([c.verify_request(issued, c.proof_of(a, issued))] * 6).map(&:status).tally
end
shows("session-from-challenge") do |c, a, _|
  issued = c.challenge(a)
  c.advance(50_000)
  bearer = c.verify(issued, c.proof_of(a, issued))["bearer"]
  c.advance(3_560_000)
  c.build(bearer, c.launch(a)).status
end
shows("session-midnight") do |c, a, _|
  c.start(1_780_010_000_000 / 86_400_000 * 86_400_000 + 23 * 3_600_000 + 60_000)
  c.build(c.login(a), c.launch(a)).status
end
shows("session-oldest-dropped") do |c, a, b|
  last = Array.new((c.facts["capacity"]["sessions"])) { c.session(Creator.new) }.last
  [last.status, c.build(b, c.launch(a)).status]
end
shows("bearer-survives-restart") { |c, a, b| c.start && codes([c.build(b, c.launch(a))])[0] }
shows("replay-before-expiry-check") do |c, a, b|
  c.advance(3_590_000)
  c.build(b, c.launch(a), KEY)
  c.advance(15_000)
  codes([c.build(b, c.launch(a), KEY), c.build(b, c.launch(a))])
end
shows("body-limit-in-characters") do |c, a, b|
  text = JSON.generate(c.launch(a, name: "é" * 16))
  [16_384, 16_390, 16_420].map { |n| c.build(b, text + " " * (n - text.bytesize)).status }
end
shows("comments-in-json") { |c, a, b| codes([c.build(b, "/* x */#{JSON.generate(c.launch(a))}")]).map(&:first) }
shows("surrogates-apart") do |c, a, b|
  text = JSON.generate(c.launch(a, name: "NAME"))
  codes([c.build(b, text.sub("NAME", '\ud83d\ude80' * 8)), c.build(b, text.sub("NAME", "🚀"), KEY), c.build(b, text.sub("NAME", '\ud83d\ude80'), KEY)])
end
shows("duplicate-creator") do |c, a, b|
  other = Creator.new.address
  answer = c.build(b, JSON.generate(c.launch(a)).sub(/\}\z/, %(,"creator":"#{other}"})))
  [answer.status, answer["requiredSigners"]&.first == other]
end
shows("mint-cut-to-32") { |c, a, b| c.build(b, c.launch(a, mint: Base58.encode("\x02#{'x' * 32}".b))).status }
shows("leading-ones-dropped") { |c, a, b| c.build(b, c.launch(a, mint: Base58.encode("\0".b + "x" * 31))).status }
shows("mint-compared-folded") do |c, a, b|
  at = (20...a.address.length).find { |i| a.address[i].match?(/[a-km-zA-HJ-NP-Z]/) && Base58::ALPHABET.include?(a.address[i].swapcase) }
  mint = a.address.dup.tap { |text| text[at] = text[at].swapcase }
  c.build(b, c.launch(a, mint: mint)).status
end
shows("uri-at-sign") { |c, a, b| c.build(b, c.launch(a, uri: "https://#{c.facts['metadataHosts'][1]}/@kite/1")).status }
shows("host-dot-unescaped") { |c, a, b| c.build(b, c.launch(a, uri: "https://#{c.facts['metadataHosts'][1].sub('.', 'x')}/1")).status }
shows("key-line-anchors") { |c, a, b| c.build(b, c.launch(a), "good-key-1\n!").status }
shows("key-folded") { |c, a, b| codes([c.build(b, c.launch(a), "Key-Number-1"), c.build(b, c.launch(a, name: "Other"), "key-number-1")]) }
shows("digest-joined") do |c, a, b|
  codes([c.build(b, c.launch(a), KEY), c.build(b, c.launch(a, name: "Paper KiteK", symbol: "ITE"), KEY)])
end
shows("key-scoped-to-session") { |c, a, b| codes([c.build(b, c.launch(a), KEY), c.build(c.login(a), c.launch(a, name: "Other"), KEY)]) }
shows("retry-extends-window") do |c, a, b|
  codes(Array.new(3) { c.build(b, c.launch(a), KEY).tap { c.advance(20_000) } })
end
shows("expired-draft-forgotten") do |c, a, b|
  codes([0, 31_000, 650_000].map { |ms| c.advance(ms) && c.build(b, c.launch(a), KEY) })
end
shows("key-race") { |c, a, b| c.crowd(Array.new(4) { |n| c.build_request(b, c.launch(a, name: "Kite #{n}"), KEY) }).map(&:status).tally }
shows("rate-counts-living-drafts") do |c, a, b|
  5.times { c.build(b, c.launch(a)) }
  c.advance(31_000)
  c.build(b, c.launch(a)).status
end
shows("rate-shared-by-latecomers") do |c, _, _|
  Array.new(40) { (other = Creator.new) && c.build(c.login(other), c.launch(other)).status }.tally
end
shows("rate-race") { |c, a, b| c.crowd(Array.new(12) { c.build_request(b, c.launch(a)) }).map(&:status).tally }
shows("full-store-refuses-retry") do |c, a, b|
  c.build(b, c.launch(a), KEY)
  crowd = Array.new(8) { |n| [x = Creator.new, c.login(x), n] }
  crowd.each { |x, bearer, _| 5.times { c.build(bearer, c.launch(x)) } }
  codes([c.build(b, c.launch(a), KEY)])
end
shows("recommended-kept") do |c, a, b|
  ["K", "A far longer name of the kite"].map { |n| c.build(b, c.launch(a, name: n))["cost"].then { |x| x["recommendedLamports"] - x["minimumLamports"] } }
end
shows("week-year") { |c, a, _| c.start(1_609_459_200_000) && c.challenge(a)["expiresAt"] } # 2021-01-01
shows("fraction-unpadded") { |c, a, _| c.start(1_780_000_000_005) && c.challenge(a)["expiresAt"] }

# ---- legal
shows(*%w[time-epoch-number time-epoch-text time-decimal-seconds time-far-offset time-ordinal-basic time-week-date time-decimal-comma]) do |c, a, _|
  [c.challenge(a)["expiresAt"], c.session(a)["expiresAt"]]
end
shows("message-json", "message-crlf") { |c, a, _| (i = c.challenge(a)) && i["message"].gsub(i["id"], "ID").gsub(a.address, "A") }
shows("signed-hash", "signed-with-domain") { |c, a, _| (i = c.challenge(a)) && c.verify(i, a.sign(i["message"])).status }
shows("bearer-punctuated") { |_, _, b| b.length > 100 }
shows("code-mint-clash") { |c, a, b| codes([c.build(b, c.launch(a, mint: a.address)), c.build(b, c.launch(a, mint: c.facts["operatorKey"]))]) }
shows("code-extra-fields") { |c, a, b| codes([c.build(b, c.launch(a, more: 1))]) }
shows("code-port-as-host") { |c, a, b| codes([c.build(b, c.launch(a, uri: "https://#{c.facts['metadataHosts'][0]}:443/1"))]) }
shows("code-malformed-key") { |c, a, b| codes([c.build(b, c.launch(a), "short"), c.build(b, c.launch(a), nil)]) }
shows("code-no-object") { |c, _, b| codes([c.build(b, "[]"), c.build(b, "{")]) }
shows("duplicates-refused", "duplicates-first") do |c, a, b|
  codes([c.build(b, JSON.generate(c.launch(a)).sub(/\}\z/, ',"name":""}'))])
end
shows("body-before-bearer") { |c, _, _| codes([c.build(nil, "{", KEY)]) }
shows("hash-sha3", "versioned-message", "draft-expiry-constant", "costs-otherwise") do |c, a, b|
  c.advance(1)
  draft = c.build(b, c.launch(a))
  bytes = draft["unsignedTransactionBase64"].unpack1("m0")
  [bytes.byteslice(129, 1).ord, bytes.byteslice(1, 128) == "\0" * 128, draft["expiresAt"], draft["cost"],
   draft["messageHash"] == OpenSSL::Digest.hexdigest("SHA256", bytes.byteslice(129..))]
end
shows("bounds-tiny", "bounds-huge", "bounds-untold") { |c, a, _| [c.facts["capacity"], Array.new(50) { c.challenge(a).status }.tally] }
shows("hosts-nested") { |c, a, b| [c.facts["metadataHosts"], c.build(b, c.launch(a)).status] }
shows("keys-with-zeros") { |c, a, b| [c.profile["platform"], c.build(b, c.launch(a))["feeWallet"]] }
shows("one-at-a-time") { |c, _, _| c.capabilities["concurrency"] }

def everyday(client, creator)
  profile = client.profile
  raise "profile" unless profile.status == 200 && profile["productionApproved"] == false

  bearer = client.login(creator)
  draft = client.build(bearer, client.launch(creator))
  raise "build #{draft.status} #{draft.body}" unless draft.status == 200

  client.start
  client.login(creator)
end

SHOW_SEED = Creator.new # one creator, so that what is shown can be compared

def shown(name, scenario)
  Client.open(name) { |client| return scenario.call(client, SHOW_SEED, everyday(client, SHOW_SEED)) }
end

chosen = ARGV.empty? ? Variants::ALL.keys : ARGV
failures = chosen.reject do |name|
  scenario = SHOWS.fetch(name)
  right = shown("right", scenario)
  seen = shown(name, scenario)
  same = right == seen
  puts "#{same ? 'SAME ' : 'ok   '} #{name}: #{right.inspect} -> #{seen.inspect}"
  !same
rescue StandardError => e
  puts "FAULT #{name}: #{e.message} #{e.backtrace.first}"
end
abort "not shown: #{failures.join(', ')}" unless failures.empty?
