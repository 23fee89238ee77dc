import { codingsIn, uncoded } from "../audit/content-coding.ts";
import type { PassedExchange, PassedMessage } from "./passed-exchange.ts";

/**
 * An exchange with its bodies as they were before they were coded for their way, such as by gzip: only so they can be judged,
 * and what is secret in them be masked. Of a body whose coding cannot be undone nothing is left but that there was one.
 */
export function readableExchange(exchange: PassedExchange): PassedExchange {
  const { request, response } = exchange;
  const isPlain = [request, response].every(
    (message) => message === undefined || codings(message).length === 0,
  );
  if (isPlain) return exchange;
  return {
    ...exchange,
    request: readable(request),
    ...(response === undefined ? {} : { response: readable(response) }),
  };
}

function codings(message: PassedMessage): readonly string[] {
  return message.bytes === 0 ? [] : codingsIn(message.headers);
}

function readable<Message extends PassedMessage>(message: Message): Message {
  const coded = codings(message);
  if (coded.length === 0) return message;
  const isWhole = message.body.length === message.bytes;
  const body = isWhole ? uncoded(message.body, coded) : undefined;
  return body === undefined
    ? { ...message, body: new Uint8Array() }
    : { ...message, body: new Uint8Array(body), bytes: body.length };
}
