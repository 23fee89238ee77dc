<?php

// Skeleton of an adapter for the conformance kit: JSON-RPC 2.0, one message a line, PHP 8.1 or later and nothing else.
// Fill in parts 1 and 2. PHP answers one request after the other, and says so: "concurrency" is false.

declare(strict_types=1);

// ---- 1. YOUR SERVICE: replace what stands here.

/** A service with empty state. It reads no other clock than the one it is given. */
final class Service
{
    /** @param Closure(): int $nowMs milliseconds since the Unix epoch */
    public function __construct(private readonly Closure $nowMs)
    {
    }

    /**
     * @param ?string $body the exact bytes sent; what was not sent is null
     * @return array{status: int, body: mixed} the status, and the JSON value of the body
     */
    public function handle(string $method, string $path, ?string $body, ?string $bearer, ?string $idempotencyKey): array
    {
        if ($method === 'GET' && $path === '/v1/platform') {
            return ['status' => 200, 'body' => ['mode' => 'OFFLINE_PROTOTYPE', 'productionApproved' => false]];
        }
        return ['status' => 404, 'body' => ['code' => 'NO_EXECUTION_ENDPOINT', 'productionApproved' => false]];
    }
}

// ---- 2. WHAT THE KIT CANNOT SEE: replace what is not so.
// "capabilities": what is left out by one, the kit accepts by name: --allow-untried capability:concurrency. "instances" is
// how many services may live side by side, which is how the kit hides the time that requests take.
// "facts": your two metadata hosts; "operatorKey", "signedBytes" and "capacity" may be added. Clients sign the message of a
// challenge as UTF-8 unless "signedBytes" says "hex", "base64", "sha256", or "adapter": then answer the method
// "bytesToSign", whose params are {"message"}, with {"base64"} of those bytes.

const ABOUT = [
    'protocol' => 1,
    'implementation' => ['name' => 'my-service', 'version' => '0.0.0', 'language' => 'PHP'],
    'capabilities' => ['clock' => 'virtual', 'restart' => true, 'rawBody' => true, 'concurrency' => false, 'instances' => 16],
    'facts' => ['metadataHosts' => ['metadata-one.example', 'metadata-two.example']],
];

// ---- 3. THE PROTOCOL: stays as it is.

const PARSE_ERROR = -32700;
const NO_METHOD = -32601;
const INVALID_PARAMS = -32602;
const INTERNAL_ERROR = -32603;

/** A message that is answered with an error. */
final class RpcError extends Exception
{
}

/** A service on a clock of its own. */
final class Instance
{
    public readonly Service $service;

    public function __construct(public int $clockMs)
    {
        $this->service = new Service(fn (): int => $this->clockMs);
    }
}

/** The services, by the names that start gave. */
final class Adapter
{
    /** @var array<string, Instance> */
    private array $instances = [];

    public function answer(string $method, array $params): array|object
    {
        return match ($method) {
            'initialize' => ABOUT,
            'start' => $this->start($params),
            'handle' => $this->handle($params),
            'advance' => $this->advance($params),
            'shutdown' => new stdClass(),
            default => throw new RpcError("no method \"$method\"", NO_METHOD),
        };
    }

    /** A new service, or one in the place of the one that is named. */
    private function start(array $params): array
    {
        if (isset($params['service'])) {
            $this->instance($params);
        }
        $name = $params['service'] ?? 'service-' . (count($this->instances) + 1);
        $this->instances[$name] = new Instance($this->moment($params['nowMs'] ?? null));
        return ['service' => $name];
    }

    private function handle(array $params): array
    {
        $body = isset($params['bodyBase64']) ? base64_decode($params['bodyBase64']) : ($params['body'] ?? null);
        $service = $this->instance($params)->service;
        return $service->handle($params['method'], $params['path'], $body, $params['bearer'] ?? null, $params['idempotencyKey'] ?? null);
    }

    private function advance(array $params): array
    {
        $instance = $this->instance($params);
        $instance->clockMs = $this->moment($instance->clockMs + $this->moment($params['ms'] ?? null));
        return ['nowMs' => $instance->clockMs];
    }

    private function instance(array $params): Instance
    {
        $name = $params['service'] ?? null;
        return $this->instances[$name ?? '']
            ?? throw new RpcError('no service ' . json_encode($name) . ': start gives the name of one', INVALID_PARAMS);
    }

    private function moment(mixed $ms): int
    {
        if (is_int($ms) && $ms >= 0 && $ms <= 253_402_214_400_000) {
            return $ms;
        }
        throw new RpcError(json_encode($ms) . ' is no time before the end of the year 9999, in milliseconds', INVALID_PARAMS);
    }
}

/** One line, in one piece. */
function write(mixed $id, array $outcome): void
{
    $flags = JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES | JSON_PRESERVE_ZERO_FRACTION;
    if (isset($outcome['error'])) {
        $flags |= JSON_INVALID_UTF8_SUBSTITUTE;
    }
    fwrite(STDOUT, json_encode(['jsonrpc' => '2.0', 'id' => $id] + $outcome, $flags) . "\n");
    fflush(STDOUT);
}

ini_set('display_errors', 'stderr');
// A stray echo belongs in the log, not among the answers.
ob_start(static function (string $text): string {
    fwrite(STDERR, $text);
    return '';
}, 1);

$adapter = new Adapter();
while (($line = fgets(STDIN)) !== false) {
    $message = json_decode($line, true);
    $method = $message['method'] ?? null;
    $params = $message['params'] ?? [];
    if (!is_array($message) || !is_string($method) || !is_array($params)) {
        write(null, ['error' => ['code' => PARSE_ERROR, 'message' => 'the line is no request in JSON']]);
        continue;
    }
    $id = $message['id'] ?? null;
    try {
        write($id, ['result' => $adapter->answer($method, $params)]);
    } catch (RpcError $error) {
        write($id, ['error' => ['code' => $error->getCode(), 'message' => $error->getMessage()]]);
    } catch (Throwable $error) {
        fwrite(STDERR, "$error\n");
        write($id, ['error' => ['code' => INTERNAL_ERROR, 'message' => 'the service failed: ' . $error->getMessage()]]);
    }
    if ($method === 'shutdown') {
        break;
    }
}
