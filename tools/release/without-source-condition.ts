/**
 * A manifest for publication: the condition `turnseal-source` leads to files that are not
 * published.
 */
export function withoutSourceCondition(manifest: object): object {
  return JSON.parse(
    JSON.stringify(manifest, (key, value: unknown) =>
      key === "turnseal-source" ? undefined : value,
    ),
  );
}
