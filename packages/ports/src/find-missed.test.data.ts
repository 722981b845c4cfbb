import type { ContractCase, ContractOptions } from "./contract.ts";

/**
 * For tests of a contract: lists the sentences without a broken implementation, or whose broken
 * implementation passes.
 */
export async function findMissed<Subject>(
  contract: (options: ContractOptions<Subject>) => ContractCase[],
  broken: Readonly<Record<string, () => Subject>>,
): Promise<string[]> {
  const names = contract({ create: () => Promise.reject(new Error("never run")) }).map(
    ({ name }) => name,
  );
  const missed = Object.keys(broken).filter((name) => !names.includes(name));
  for (const name of names) {
    const create = Object.hasOwn(broken, name) ? broken[name] : undefined;
    const found = create && contract({ create }).find((sentence) => sentence.name === name);
    const isFound = await found?.run().then(
      () => false,
      () => true,
    );
    if (isFound !== true) missed.push(name);
  }
  return missed;
}
