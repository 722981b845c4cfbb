import { expect, test } from "vitest";
import { isTenant, TENANT_LENGTH_MAX } from "./tenant.ts";

test.each(["a", "0", "acme", "acme-eu", "a--", "a".repeat(TENANT_LENGTH_MAX)])(
  "%s is the name of a tenant",
  (tenant) => {
    expect(isTenant(tenant)).toBe(true);
  },
);

test.each([
  ...["", "-a", "Acme", "acme.eu", "a_b", "a:b", "a@b", "a b", "a\n", "\na", "ä", "a\0", "a/b"],
  ...["a".repeat(TENANT_LENGTH_MAX + 1), undefined, null, 7, ["a"]],
])("%j is none", (tenant) => {
  expect(isTenant(tenant)).toBe(false);
});
