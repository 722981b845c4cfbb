/**
 * The rules of the proxy of a command. Pure: the address is checked when the host is resolved.
 *
 * 1. The host and the port are among those of the command, in one spelling.
 * 2. A request shows its method, which needs its verb. A tunnel shows nothing, and needs all.
 */
import { HOST_VERBS, METHODS } from "../web/need-host.ts";
import { destinationOf } from "../web/send-request.ts";
import { REFUSED_LENGTH_MAX } from "./limits.ts";
import type { NetworkReach } from "./network-reach.ts";

export type Judgement =
  | { readonly kind: "allowed"; readonly url: URL; readonly isTrusted: boolean }
  | { readonly kind: "refused"; readonly why: string };

/** `authority` is what stands in the first line of the request: `host:port`. */
export function judgeTunnel(reach: NetworkReach, authority: string): Judgement {
  const url = /^[^/?#@\s\\]+:\d{1,5}$/.test(authority) ? URL.parse(`https://${authority}`) : null;
  if (url === null) return refuse("a tunnel names one host and its port");
  const hidden = HOST_VERBS.find((verb) => !reach.verbs.has(verb));
  if (hidden !== undefined)
    return refuse(`a tunnel hides its methods, and the command has no verb \`${hidden}\``);
  return judgeHost(reach, url);
}

/** `target` is the absolute URL of a request over plain HTTP. */
export function judgeRequest(reach: NetworkReach, method: string, target: string): Judgement {
  const url = URL.parse(target);
  if (url === null) return refuse("the request names no absolute URL");
  if (url.protocol !== "http:")
    return refuse("the proxy sends plain HTTP only: another protocol goes through a tunnel");
  if (url.username !== "" || url.password !== "")
    return refuse("the URL holds a user or a password");
  const verb = Object.hasOwn(METHODS, method) ? METHODS[method as keyof typeof METHODS] : undefined;
  if (verb === undefined) return refuse("the method of the request has no verb");
  if (!reach.verbs.has(verb)) return refuse(`${method} needs the verb \`${verb}\``);
  return judgeHost(reach, url);
}

function judgeHost(reach: NetworkReach, url: URL): Judgement {
  const named = destinationOf(url);
  if (!reach.hosts.has(named))
    return refuse(`${named.slice(0, REFUSED_LENGTH_MAX)} is not among \`network.hosts\``);
  return { kind: "allowed", url, isTrusted: reach.privateHosts.has(named) };
}

function refuse(why: string): Judgement {
  return { kind: "refused", why };
}
