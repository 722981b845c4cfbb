/** Addresses of the internet protocol, as RFC 2673 and RFC 4291 write them. */

const octetPattern = /^(?:0|[1-9][0-9]{0,2})$/;
const groupPattern = /^[0-9A-Fa-f]{1,4}$/;
const IPV6_GROUPS = 8;
/** The longest that an address of version 6 can be: six groups and four octets. */
const IPV6_LENGTH_MAX = 45;

/** Four numbers up to 255, without zeros before them. */
export function isIpv4(text: string): boolean {
  const octets = text.split(".", 5);
  return (
    octets.length === 4 && octets.every((octet) => octetPattern.test(octet) && Number(octet) < 256)
  );
}

/** Eight groups; one `::` stands for any that are missing, and the last two may be octets. */
export function isIpv6(text: string): boolean {
  if (text.length > IPV6_LENGTH_MAX) return false;
  const halves = text.split("::");
  const [before = "", after = ""] = halves;
  const groups = countGroups(before, halves.length === 1) + countGroups(after, true);
  if (halves.length === 1) return groups === IPV6_GROUPS;
  return halves.length === 2 && groups < IPV6_GROUPS;
}

/** Counts the groups in a row; NaN where one is invalid. */
function countGroups(text: string, mayEndInOctets: boolean): number {
  if (text === "") return 0;
  const groups = text.split(":");
  const last = groups.at(-1) ?? "";
  const endsInOctets = mayEndInOctets && isIpv4(last);
  const plain = endsInOctets ? groups.slice(0, -1) : groups;
  return plain.every((group) => groupPattern.test(group))
    ? groups.length + (endsInOctets ? 1 : 0)
    : Number.NaN;
}
