import { expect, test } from "vitest";
import { downloadFile, FILE_MS_MAX, uploadFile } from "./transfer-file.ts";

const file = { file: `hmac-sha256:${"0".repeat(64)}`, mediaType: "image/png", bytes: 3 } as const;
const blob = new Blob([Uint8Array.from([1, 2, 3])], { type: "image/png" });

function addressOf(answer: () => Response | Promise<Response>) {
  const asked: { url: string; init: RequestInit }[] = [];
  const fetch = async (url: string | URL | Request, init: RequestInit = {}) => {
    asked.push({ url: String(url), init });
    return answer();
  };
  return { address: { url: "http://server/", run: "r", token: "t", fetch }, asked };
}

test("a file is sent under its type and its name, and answered with what names it", async () => {
  const { address, asked } = addressOf(() => Response.json(file, { status: 201 }));
  const answer = await uploadFile(address, { blob, name: "a b.png" });
  expect(answer).toEqual({ kind: "accepted", file });
  expect(asked[0]).toMatchObject({
    url: "http://server/v1/runs/r/files?name=a%20b.png",
    init: { method: "POST", body: blob, headers: { "content-type": "image/png" } },
  });
  expect(FILE_MS_MAX).toBeGreaterThan(0);
});

test("what the server refuses is refused, and what it cannot say is not believed", async () => {
  const error = { code: "FILE_FALSE", message: "no" };
  const refused = addressOf(() => Response.json({ error }, { status: 422 }));
  const refusal = { status: 422, ...error };
  expect(await uploadFile(refused.address, { blob })).toEqual({ kind: "refused", refusal });
  expect(await downloadFile(refused.address, file)).toEqual({ kind: "refused", refusal });
  for (const answer of [() => Response.json({}), () => Promise.reject(new Error("away"))])
    expect((await uploadFile(addressOf(answer).address, { blob })).kind).toBe("unreachable");
  const away = addressOf(() => Promise.reject(new Error("away")));
  expect(await downloadFile(away.address, file)).toEqual({ kind: "unreachable" });
});

test("a file is asked for by its digest", async () => {
  const { address, asked } = addressOf(() => new Response(blob));
  const answer = await downloadFile(address, file);
  expect(answer.kind === "read" && [...(await answer.blob.bytes())]).toEqual([1, 2, 3]);
  expect(asked[0]?.url).toBe(`http://server/v1/runs/r/files/${encodeURIComponent(file.file)}`);
});
