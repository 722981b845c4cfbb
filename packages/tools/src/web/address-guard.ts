/**
 * Which addresses a tool may connect to: those of the public internet.
 *
 * 1. The checked address is the one that is connected to. So a name that resolves to another
 *    address a moment later leads nowhere.
 * 2. Every address of a name is checked: one that is private refuses the name.
 * 3. Addresses of version 6 are refused unless they are global and hold no address of version 4.
 */
import { lookup as lookupName } from "node:dns/promises";
import { BlockList, isIP, type LookupFunction } from "node:net";

// The metadata of clouds is at 169.254.169.254.
const PRIVATE = listOf("ipv4", [
  ...["0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16"],
  ...["172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16"],
  ...["198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4"],
]);
const GLOBAL_6 = listOf("ipv6", ["2000::/3"]);
// Teredo, other protocols, and documentation; 2002::/16 holds addresses of version 4.
const RESERVED_6 = listOf("ipv6", ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"]);

function listOf(family: "ipv4" | "ipv6", nets: readonly string[]): BlockList {
  const list = new BlockList();
  for (const net of nets) {
    const [address = "", prefix] = net.split("/");
    list.addSubnet(address, Number(prefix), family);
  }
  return list;
}

/** True for an address of the public internet. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !PRIVATE.check(address, "ipv4");
  if (isIP(address) !== 6 || address.includes("%")) return false;
  return GLOBAL_6.check(address, "ipv6") && !RESERVED_6.check(address, "ipv6");
}

export interface CheckedAddress {
  readonly address: string;
  readonly family: number;
}

export type AddressAnswer =
  | { readonly kind: "address"; readonly address: CheckedAddress }
  | { readonly kind: "refused"; readonly why: string };

/** A resolver that answers every name with the checked address. */
export function pinAddress({ address, family }: CheckedAddress): LookupFunction {
  return (_, options, answer) => {
    if (options.all === true) answer(null, [{ address, family }]);
    else answer(null, address, family);
  };
}

/** Resolves a host, as a URL has it; `isTrusted` is for one that the operator names. */
export async function resolveHost(host: string, isTrusted: boolean): Promise<AddressAnswer> {
  const name = host.replace(/^\[(.*)\]$/, "$1");
  let found: readonly CheckedAddress[];
  try {
    found = await lookupName(name, { all: true });
  } catch {
    return { kind: "refused", why: "the host has no address" };
  }
  const [first] = found;
  if (first === undefined) return { kind: "refused", why: "the host has no address" };
  if (!isTrusted && !found.every(({ address }) => isPublicAddress(address)))
    return {
      kind: "refused",
      why:
        "the host has a private, local or reserved address: the operator can allow it by name in " +
        "`privateHosts`",
    };
  return { kind: "address", address: first };
}
