/** Answers what is asked of it to see whether the adapter's statements hold (see PROBES). */
final class Service
{
    private int $count = 0;

    public function __construct(private readonly Closure $nowMs)
    {
    }

    public function handle(string $method, string $path, ?string $body, ?string $bearer, ?string $idempotencyKey): array
    {
        return ['status' => 200, 'body' => match ($path) {
            '/v1/platform' => json_decode('PROFILE'),
            '/body' => preg_match('//u', $body) === 1 ? ['text' => $body] : ['base64' => base64_encode($body)],
            '/sent' => ['body' => $body !== null, 'bearer' => $bearer, 'idempotencyKey' => $idempotencyKey],
            '/clock' => ['nowMs' => ($this->nowMs)()],
            '/count' => ['count' => ++$this->count],
            default => $this->fails(),
        }];
    }

    private function fails(): never
    {
        echo "a stray line\n";
        throw new RuntimeException("the probe \"fails\"\n");
    }
}

