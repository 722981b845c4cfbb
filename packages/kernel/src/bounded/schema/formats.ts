/**
 * The formats that are enforced (spec/loop.md §5.9). Each check takes time linear in the text; any
 * other format is an annotation.
 */
import { isIpv4, isIpv6 } from "./is-address.ts";
import { isDate, isDateTime, isTime } from "./is-moment.ts";
import { isUri, isUriReference } from "./is-uri.ts";

/** The longest name of a host that the domain name system knows, in characters. */
export const HOSTNAME_LENGTH_MAX = 253;
/** The longest label of such a name. */
export const HOST_LABEL_LENGTH_MAX = 63;
/** The longest address of a mailbox: 64 characters, an at sign, and 255. */
export const EMAIL_LENGTH_MAX = 320;

const labelPattern = /^[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?$/;
const atomPattern = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+$/;
const quotedPattern = /^"(?:[ !#-[\]-~]|\\[ -~])*"$/;
const uuidPattern = /^[0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}$/;

function isHostname(text: string): boolean {
  if (text.length > HOSTNAME_LENGTH_MAX) return false;
  return text
    .split(".")
    .every((label) => label.length <= HOST_LABEL_LENGTH_MAX && labelPattern.test(label));
}

function isEmail(text: string): boolean {
  if (text.length > EMAIL_LENGTH_MAX) return false;
  // Inside quotes the sign may stand too, after them it may not.
  const at = text.lastIndexOf("@");
  const [mailbox, host] = [text.slice(0, Math.max(at, 0)), text.slice(at + 1)];
  const isNamed = quotedPattern.test(mailbox) || mailbox.split(".").every(isAtom);
  return isNamed && (isHostname(host) || isAddressLiteral(host));
}

function isAtom(text: string): boolean {
  return atomPattern.test(text);
}

function isAddressLiteral(host: string): boolean {
  if (!host.startsWith("[") || !host.endsWith("]")) return false;
  const address = host.slice(1, -1);
  return isIpv4(address) || (/^ipv6:/i.test(address) && isIpv6(address.slice("IPv6:".length)));
}

/** Whether a text has a format, by the name of the format. */
export const formats: ReadonlyMap<string, (text: string) => boolean> = new Map([
  ["date", isDate],
  ["date-time", isDateTime],
  ["email", isEmail],
  ["hostname", isHostname],
  ["ipv4", isIpv4],
  ["ipv6", isIpv6],
  ["time", isTime],
  ["uri", isUri],
  ["uri-reference", isUriReference],
  ["uuid", (text) => uuidPattern.test(text)],
]);
