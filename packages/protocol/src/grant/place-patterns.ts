/** Roots in a file system, and destinations in a network (spec/grant.md §4). */

import { GRANT_NAME_LENGTH_MAX } from "../tool-reference.ts";
import { isPath } from "./glob.ts";

/** True for an absolute path without steps up, such as `/srv/data`, or for `/` itself. */
export function isRoot(value: unknown): value is string {
  return (
    typeof value === "string" && (value === "/" || (value[0] === "/" && isPath(value.slice(1))))
  );
}

/** True when `inner` is `outer` or lies below it. */
export function containsRoot(outer: string, inner: string): boolean {
  return outer === "/" || inner === outer || inner.startsWith(`${outer}/`);
}

const label = "[a-z0-9](?:[a-z0-9-]*[a-z0-9])?";
const hostPattern = new RegExp(`^(?:\\*\\.)?${label}(?:\\.${label})*$`);
const addressPattern = /^\[[0-9a-f:.]+\]$/;
const portPattern = /^[1-9]\d{0,4}$/;

interface Destination {
  readonly host: string;
  readonly port: string | undefined;
}

function splitDestination(text: string): Destination {
  const end = text.lastIndexOf(":");
  const hasPort = end > 0 && !text.endsWith("]");
  return hasPort
    ? { host: text.slice(0, end), port: text.slice(end + 1) }
    : { host: text, port: undefined };
}

/**
 * True for a host in lower case, or an address in brackets, with or without a port. `*.` in front
 * stands for exactly one label.
 */
export function isDestination(value: unknown): value is string {
  if (typeof value !== "string" || value.length > GRANT_NAME_LENGTH_MAX) return false;
  const { host, port } = splitDestination(value);
  if (port !== undefined && !(portPattern.test(port) && Number(port) <= 65_535)) return false;
  // The numbers of an address have no names below them.
  const isOpenAddress = host.startsWith("*.") && /\.\d+$/.test(host);
  return addressPattern.test(host) || (hostPattern.test(host) && !isOpenAddress);
}

/** True for a destination that is one host. */
export function isReachable(value: unknown): value is string {
  return isDestination(value) && !value.startsWith("*");
}

/** True when `outer` reaches every host and port that `inner` does. */
export function containsDestination(outer: string, inner: string): boolean {
  const [wide, narrow] = [splitDestination(outer), splitDestination(inner)];
  if (wide.port !== undefined && wide.port !== narrow.port) return false;
  if (wide.host === narrow.host) return true;
  if (!wide.host.startsWith("*.") || narrow.host.startsWith("*.")) return false;
  const below = narrow.host.indexOf(".");
  return below > 0 && narrow.host.slice(below) === wide.host.slice(1);
}
