import type { Mutant } from "./mutant.ts";

const standing = "packages/kernel/src/gate/find-standing.ts";
const verifier = "packages/protocol/src/verify/follow-standing.ts";

/** Faults in approvals that stand: how they are given, drawn, ended and verified. */
export const standingMutants: readonly Mutant[] = [
  {
    name: "standing-fits-everything",
    file: standing,
    find: "      fitsPattern(authority.standing?.patterns.get(standing.decision), action.request);",
    replace: "      fitsPattern({}, {});",
  },
  {
    name: "standing-has-no-end",
    file: standing,
    find: "useByMs: Date.parse(standing.until)",
    replace: "useByMs: Number.POSITIVE_INFINITY",
  },
  {
    name: "standing-for-any-code",
    file: standing,
    find: "      standing.standsFor === standsFor &&\n",
    replace: "      standsFor !== undefined &&\n",
  },
  {
    name: "standing-by-whoever-started",
    file: standing,
    find: "excluded?.includes(standing.by) === false",
    replace: "excluded !== undefined",
  },
  {
    name: "standing-without-amounts",
    file: standing,
    find: "      hasRest(standing, action.reserve()) &&\n",
    replace: "      standing.usesLeft > 0 &&\n",
  },
  {
    name: "standing-is-not-counted",
    file: "packages/protocol/src/approval/standing.ts",
    find: "Math.max(0, usesLeft - 1)",
    replace: "usesLeft",
  },
  {
    name: "standing-outlives-its-revocation",
    file: "packages/folds/src/projection/standing-approvals.ts",
    find: "decision !== content.decision",
    replace: "decision !== undefined",
  },
  {
    name: "standing-is-lost-by-a-claim-in-its-place",
    file: "packages/kernel/src/journal/push-claim.ts",
    find: "    return drawn === undefined ? {} : { drawn };",
    replace: "    return drawn === undefined ? {} : {};",
  },
  {
    name: "standing-takes-any-number",
    file: "packages/host/src/inbox/find-standing-fault.ts",
    find: "  if (!isWithinStanding(standing, mayStand))",
    replace: "  if (standing.uses < 0)",
  },
  {
    name: "standing-for-one-who-rejects",
    file: "packages/host/src/inbox/find-standing-fault.ts",
    find: '  if (choice !== "approve")',
    replace: '  if (choice === "edit")',
  },
  {
    name: "revocation-by-nobody",
    file: "packages/host/src/inbox/draft-revocation.ts",
    find: '  if (readIdentity(body).id === "") return refused(row, "identity-missing");\n',
    replace: "",
  },
  {
    name: "pattern-leaves-fields-free",
    file: "packages/protocol/src/approval/pattern.ts",
    find: "Object.keys(given).every((name) => Object.hasOwn(pattern, name))",
    replace: "Object.keys(given).length >= 0",
  },
  {
    name: "rule-lets-stand-alone",
    file: "packages/kernel/src/policy/decide.ts",
    find: "all.length === asking.length && all.length > 0",
    replace: "all.length > 0",
  },
  {
    name: "several-let-stand",
    file: "packages/protocol/src/policy/parse-policy.ts",
    find: 'rule["mayStand"] !== undefined && Number(rule["approvers"] ?? 1) > 1',
    replace: 'rule["mayStand"] === "" && Number(rule["approvers"] ?? 1) > 1',
  },
  {
    name: "verifier-skips-revocations",
    file: verifier,
    find: "      standing.isRevoked = true;",
    replace: "      standing.isRevoked = false;",
  },
  {
    name: "verifier-skips-the-time-of-standing",
    file: verifier,
    find: "Date.parse(claim.at) <= standing.untilMs && given.isGranted",
    replace: "given.isGranted",
  },
  {
    name: "verifier-skips-patterns",
    file: verifier,
    find: "|| !fits(standing, claim, read))",
    replace: "|| fits(standing, claim, () => undefined) === false)",
  },
  {
    name: "verifier-trusts-the-rest",
    file: verifier,
    find: "!isNamed || ",
    replace: "",
  },
  {
    name: "verifier-takes-any-standing",
    file: verifier,
    find: "    isWithinStanding(given, mayStand)\n",
    replace: "    given.uses >= 0\n",
  },
  {
    name: "verifier-skips-what-stands-for-what",
    file: verifier,
    find: "    nameStanding(content) === nameStanding(asked.content)\n",
    replace: "    nameStanding(content) !== nameStanding({ action: 1 })\n",
  },
];
