import { strict as assert } from "node:assert";
import { bindContract, type ContractCase, type ContractOptions } from "../contract.ts";
import type { Secrets } from "./secrets.ts";

export interface SecretsSubject {
  readonly secrets: Secrets;
  /** The stored secrets: at least two names, and nothing else. */
  readonly stored: Readonly<Record<string, string>>;
}

/** The contract of every source of secrets. */
export function secretsContract(options: ContractOptions<SecretsSubject>): ContractCase[] {
  return bindContract(
    {
      "answers with what is stored under a name, each time": async ({ secrets, stored }) => {
        for (const [name, value] of [...Object.entries(stored), ...Object.entries(stored)])
          assert.equal(await secrets.read(name), value);
      },
      "a name that is not stored has no secret": async ({ secrets, stored }) => {
        const names = Object.keys(stored).flatMap((name) => [`${name}_2`, name.slice(0, -1)]);
        for (const name of names) assert.equal(await secrets.read(name), undefined);
      },
      "names of another spelling are other names": async ({ secrets, stored }) => {
        for (const name of Object.keys(stored)) {
          const other = name === name.toLowerCase() ? name.toUpperCase() : name.toLowerCase();
          assert.equal(await secrets.read(other), undefined);
          assert.equal(await secrets.read(` ${name}`), undefined);
        }
      },
      "what every object has is not a secret": async ({ secrets }) => {
        for (const name of ["", "toString", "constructor", "__proto__"])
          assert.equal(await secrets.read(name), undefined);
      },
    },
    options,
  );
}
