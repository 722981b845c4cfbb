import { describe, expect, test } from "vitest";
import type { Cell } from "./cells-file.ts";
import { type ListAnswer, listCells } from "./list-cells.ts";

const cells = ["a", "b", "c"].map(
  (name): Cell => ({ name, tag: `00${name}`, url: new URL(`http://${name}:1`), weight: 1 }),
);

/** Cells with rows of their own, paged as a server does; what is absent does not answer. */
function answering(rows: Readonly<Record<string, readonly string[]>>) {
  const asked: string[] = [];
  const ask = async ({ name }: Cell, query: URLSearchParams): Promise<ListAnswer | undefined> => {
    asked.push(`${name}?${query}`);
    const own = rows[name];
    if (own === undefined) return undefined;
    const from = Number(query.get("after") ?? 0);
    const to = from + Number(query.get("limit"));
    const page = { runs: own.slice(from, to), next: to < own.length ? String(to) : null };
    return { status: 200, bytes: Buffer.from(JSON.stringify(page)) };
  };
  return { ask, asked };
}

async function readAll(rows: Readonly<Record<string, readonly string[]>>, limit: number) {
  const pages: { runs: string[]; missing: string[] }[] = [];
  let after: string | null = null;
  do {
    const query = new URLSearchParams({ limit: String(limit), ...(after && { after }) });
    const list = await listCells({ rows: "runs", query, cells, ask: answering(rows).ask });
    if (list.kind !== "page") throw new Error("no page");
    const page = list.page as { runs: string[]; next: string | null; missing: string[] };
    pages.push(page);
    after = page.next;
  } while (after !== null);
  return pages;
}

const rows = { a: ["a1", "a2", "a3"], b: ["b1"], c: ["c1", "c2"] };

describe("a list over cells", () => {
  test.each([1, 2, 3, 4, 6, 50])("has each row once, in order, by pages of %i", async (limit) => {
    const pages = await readAll(rows, limit);
    expect(pages.flatMap(({ runs }) => runs)).toEqual(["a1", "a2", "a3", "b1", "c1", "c2"]);
    for (const page of pages) expect(page.runs.length).toBeLessThanOrEqual(limit);
    expect(pages.flatMap(({ missing }) => missing)).toEqual([]);
  });

  test("names the cell that does not answer, and has the rows of the others", async () => {
    const { b: _, ...others } = rows;
    const pages = await readAll(others, 4);
    expect(pages.flatMap(({ runs }) => runs)).toEqual(["a1", "a2", "a3", "c1", "c2"]);
    expect(new Set(pages.flatMap(({ missing }) => missing))).toEqual(new Set(["b"]));
  });

  test("asks no cell that the page has no room for", async () => {
    const { ask, asked } = answering(rows);
    await listCells({ rows: "runs", query: new URLSearchParams("limit=2"), cells, ask });
    expect(asked).toEqual(["a?limit=2"]);
  });

  test("says what a cell says to the question", async () => {
    const said: ListAnswer = { status: 401, bytes: Buffer.from("{}") };
    const wish = { rows: "runs", query: new URLSearchParams(), cells } as const;
    expect(await listCells({ ...wish, ask: async () => said })).toEqual({
      kind: "said",
      answer: said,
    });
  });

  test.each(["", "x", Buffer.from('["d",null]').toString("base64url")])(
    "refuses the cursor %j that it has not given",
    async (after) => {
      const wish = { rows: "runs", query: new URLSearchParams({ after }), cells } as const;
      await expect(listCells({ ...wish, ask: answering(rows).ask })).rejects.toMatchObject({
        code: "CURSOR_REFUSED",
      });
    },
  );

  test("refuses what is no list", async () => {
    const ask = async () => ({ status: 200, bytes: Buffer.from('{"runs":1}') });
    const wish = { rows: "runs", query: new URLSearchParams(), cells } as const;
    await expect(listCells({ ...wish, ask })).rejects.toMatchObject({ code: "CELL_FAILED" });
  });
});
