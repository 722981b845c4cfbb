import { expect, onTestFinished, test } from "vitest";
import { LABEL_VALUES_MAX, OTHER } from "../../metrics/metric-set.ts";
import { OVERDUE_TENANTS_MAX, watchOverdue } from "./watch-overdue.ts";

function watch(due: Map<string, number>) {
  const asked: string[] = [];
  const watched = watchOverdue({
    listServed: async (after) => [...due.keys()].filter((name) => name > after).sort(),
    listDue: async (tenant) => {
      asked.push(tenant);
      return Array.from({ length: due.get(tenant) ?? 0 }, () => ({ run: "r", dueAt: "" }));
    },
  });
  onTestFinished(watched.close);
  return { ...watched, asked };
}

const name = (at: number): string => `t${String(at).padStart(4, "0")}`;

test("overdue runs are counted by tenant, and are gone when they are not any more", async () => {
  const due = new Map([
    ["acme", 3],
    ["globex", 0],
  ]);
  const { look, list } = watch(due);
  await look();
  expect(list()).toEqual([["acme", 3]]);
  due.delete("acme");
  due.set("globex", 1);
  await look();
  expect(list()).toEqual([["globex", 1]]);
});

test("OVERDUE_TENANTS_MAX tenants are asked at a time, and the others after them", async () => {
  const count = OVERDUE_TENANTS_MAX * 2 + 1;
  const { look, list, asked } = watch(
    new Map(Array.from({ length: count }, (_, at) => [name(at), 1])),
  );
  // The first look is its own.
  await expect.poll(() => asked.length).toBe(OVERDUE_TENANTS_MAX);
  await look();
  expect(asked).toHaveLength(OVERDUE_TENANTS_MAX * 2);
  await look();
  expect(list()).toHaveLength(count);
  await look();
  expect(asked.at(-1)).toBe(name(OVERDUE_TENANTS_MAX - 1));
});

test("more than LABEL_VALUES_MAX tenants are told as one", async () => {
  const { look, list } = watch(
    new Map(Array.from({ length: LABEL_VALUES_MAX + 2 }, (_, at) => [name(at), 2])),
  );
  for (let times = 0; times < 5; times++) await look();
  expect(list()).toHaveLength(LABEL_VALUES_MAX + 1);
  expect(list().at(-1)).toEqual([OTHER, 4]);
});
