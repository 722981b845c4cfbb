/** Identifiers of resources, as RFC 3986 writes them. */
import { isIpv6 } from "./is-address.ts";

// The five parts, as the appendix of the standard takes them apart: each ends at a character that
// it cannot hold, so that nothing is read twice.
const partsPattern = /^(?:([^:/?#]+):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#([\s\S]*))?$/;
const schemePattern = /^[A-Za-z][A-Za-z0-9+.-]*$/;
const namePattern = /^(?:[A-Za-z0-9._~!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*$/;
const userPattern = /^(?:[A-Za-z0-9._~!$&'()*+,;=:-]|%[0-9A-Fa-f]{2})*$/;
const pathPattern = /^(?:[A-Za-z0-9._~!$&'()*+,;=:@/-]|%[0-9A-Fa-f]{2})*$/;
const queryPattern = /^(?:[A-Za-z0-9._~!$&'()*+,;=:@/?-]|%[0-9A-Fa-f]{2})*$/;
const laterAddressPattern = /^[Vv][0-9A-Fa-f]+\.[A-Za-z0-9._~!$&'()*+,;=:-]+$/;

/** One with a scheme. */
export function isUri(text: string): boolean {
  return readReference(text)?.hasScheme === true;
}

/** A URI with a scheme, or one that is relative to another. */
export function isUriReference(text: string): boolean {
  return readReference(text) !== undefined;
}

function readReference(text: string): { readonly hasScheme: boolean } | undefined {
  const [, scheme, authority, path = "", query = "", fragment = ""] = partsPattern.exec(text) ?? [];
  const isWhole =
    (scheme === undefined || schemePattern.test(scheme)) &&
    (authority === undefined || isAuthority(authority)) &&
    pathPattern.test(path) &&
    queryPattern.test(query) &&
    queryPattern.test(fragment);
  return isWhole ? { hasScheme: scheme !== undefined } : undefined;
}

function isAuthority(text: string): boolean {
  const at = text.indexOf("@");
  const host = text.slice(at + 1);
  if (at > 0 && !userPattern.test(text.slice(0, at))) return false;
  const port = host.lastIndexOf(":");
  const hasPort = port >= 0 && /^[0-9]*$/.test(host.slice(port + 1));
  const name = hasPort ? host.slice(0, port) : host;
  return name.startsWith("[") ? isLiteral(name) : namePattern.test(name);
}

function isLiteral(host: string): boolean {
  const address = host.slice(1, -1);
  return host.endsWith("]") && (isIpv6(address) || laterAddressPattern.test(address));
}
