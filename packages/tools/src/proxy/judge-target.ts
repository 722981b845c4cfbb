/**
 * The rules of the proxy of a command. Pure: the address is checked when the host is resolved.
 *
 * 1. The host and the port are among those of the command. Their text is compared as it was
 *    written, in lower case: a parser would make one host of many spellings.
 * 2. A request shows its method, which needs its verb. A tunnel shows nothing, and needs all.
 * 3. A request that only reads has no body.
 */
import type { IncomingMessage } from "node:http";
import { HOST_VERBS, METHODS } from "../web/need-host.ts";
import { REFUSED_LENGTH_MAX } from "./limits.ts";
import type { NetworkReach } from "./network-reach.ts";

export type Judgement =
  | { readonly kind: "allowed"; readonly url: URL; readonly isTrusted: boolean }
  | { readonly kind: "refused"; readonly why: string };

/** `authority` is what stands in the first line of the request: `host:port`. */
export function judgeTunnel(reach: NetworkReach, authority: string): Judgement {
  const isOne = /^[^/?#@\\]+:\d{1,5}$/.test(authority) && PRINTABLE.test(authority);
  const url = isOne ? URL.parse(`https://${authority}`) : null;
  if (url === null) return refuse("a tunnel names one host and its port");
  const hidden = HOST_VERBS.find((verb) => !reach.verbs.has(verb));
  if (hidden !== undefined)
    return refuse(`a tunnel hides its methods, and the command has no verb \`${hidden}\``);
  return judgeHost(reach, url, authority);
}

/** The parts of a request over plain HTTP that are judged; `url` is absolute. */
export type AskedRequest = Pick<IncomingMessage, "method" | "url" | "headers">;

export function judgeRequest(
  reach: NetworkReach,
  { method = "", url: target = "", headers }: AskedRequest,
): Judgement {
  const url = PRINTABLE.test(target) ? URL.parse(target) : null;
  if (url === null) return refuse("the request names no absolute URL");
  if (url.protocol !== "http:")
    return refuse("the proxy sends plain HTTP only: another protocol goes through a tunnel");
  if (url.username !== "" || url.password !== "")
    return refuse("the URL holds a user or a password");
  const verb = Object.hasOwn(METHODS, method) ? METHODS[method as keyof typeof METHODS] : undefined;
  if (verb === undefined) return refuse("the method of the request has no verb");
  if (!reach.verbs.has(verb)) return refuse(`${method} needs the verb \`${verb}\``);
  if (verb === "read" && hasBody(headers)) return refuse(`${method} has no body`);
  const [, written] = /^http:\/\/([^/?#\\]+)(?:[/?#]|$)/i.exec(target) ?? [];
  if (written === undefined) return refuse("the request names no absolute URL");
  return judgeHost(reach, url, /:\d*$/.test(written) ? written : `${written}:80`);
}

const PRINTABLE = /^[\x21-\x7e]+$/;

function hasBody(headers: AskedRequest["headers"]): boolean {
  const { "content-length": length = "0", "transfer-encoding": coding } = headers;
  return coding !== undefined || Number(length) !== 0;
}

/** `written` is the host and the port as the command wrote them. */
function judgeHost(reach: NetworkReach, url: URL, written: string): Judgement {
  const named = written.toLowerCase();
  if (!reach.hosts.has(named))
    return refuse(`${named.slice(0, REFUSED_LENGTH_MAX)} is not among \`network.hosts\``);
  return { kind: "allowed", url, isTrusted: reach.privateHosts.has(named) };
}

function refuse(why: string): Judgement {
  return { kind: "refused", why };
}
