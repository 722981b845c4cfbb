/**
 * One program of `docs/side-by-side/research`, run as its page says. It is killed when three of six
 * questions are answered and three searches hang, and another process goes on.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LLMock } from "@copilotkit/aimock";
import { repositoryRoot } from "../tidy/tree.ts";
import { startNode } from "./start-node.ts";

/** The questions of `library.ts`; for the last but one nothing is ever found. */
const questions = ["tides", "moon", "sun", "bread", "yeast", "salt"];
const LOST = "yeast";
const ANSWERED = 3;

export interface TriedResearch {
  /** The number of model requests, by both processes together. */
  readonly modelCalls: number;
  /** The same for the questions that were answered before the kill: one each is enough. */
  readonly answeredAgain: number;
  /** What the second process printed. */
  readonly said: string;
}

export async function tryResearch(name: string, databaseUrl: string): Promise<TriedResearch> {
  const model = await openModel();
  const search = await openSearch();
  const folder = mkdtempSync(join(tmpdir(), `turnseal-research-${name}-`));
  const env = {
    ...{ PATH: process.env["PATH"], HOME: folder, NO_COLOR: "1", DATABASE_URL: databaseUrl },
    ...{ OPENAI_API_KEY: "not-a-key", OPENAI_BASE_URL: `${model.url}/v1` },
    SEARCH_URL: search.url,
  };
  const program = join(repositoryRoot, "docs/side-by-side/research", `${name}.ts`);
  try {
    const first = startNode([program], { folder, env });
    await Promise.race([search.untilHanging(ANSWERED), first.ended]);
    await untilAsked(model, ANSWERED);
    first.kill();
    await first.ended;
    search.answerAll();
    const said = (await startNode([program], { folder, env }).ended).trim();
    const asked = model.getRequests().map(({ body }) => JSON.stringify(body));
    const answered = questions.slice(0, ANSWERED);
    const again = answered.map((one) => asked.filter((text) => text.includes(`: ${one}`)).length);
    const answeredAgain = again.reduce((sum, count) => sum + count - 1, 0);
    return { modelCalls: asked.length, answeredAgain, said };
  } finally {
    search.close();
    await model.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function openModel(): Promise<LLMock> {
  const model = await LLMock.create({ port: 0 });
  for (const question of questions) {
    const content = JSON.stringify({ claim: `About ${question}.`, source: `/${question}` });
    model.addFixture({
      match: {
        predicate: ({ messages }) => JSON.stringify(messages).includes(`Question: ${question}`),
      },
      response: { content },
    });
  }
  return model;
}

/** Waits until the answers are recorded by the program: it has a moment after each. */
async function untilAsked(model: LLMock, count: number): Promise<void> {
  const RECORDED_MS = 1_000;
  while (model.getRequests().length < count)
    await new Promise((resume) => setTimeout(resume, RECORDED_MS / 10));
  await new Promise((resume) => setTimeout(resume, RECORDED_MS));
}

async function openSearch() {
  let hangs = true;
  let hanging = 0;
  let resumeWaiting = (): void => {};
  let wanted = Number.POSITIVE_INFINITY;
  const server = createServer((request, response) => {
    const question = request.url?.slice(1) ?? "";
    if (hangs && questions.indexOf(question) >= ANSWERED) {
      hanging += 1;
      if (hanging >= wanted) resumeWaiting();
      return;
    }
    response.statusCode = question === LOST ? 500 : 200;
    response.end(JSON.stringify({ url: `/${question}`, text: `All about ${question}.` }));
  });
  await new Promise<void>((resume) => {
    server.listen(0, "127.0.0.1", resume);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    untilHanging: (count: number): Promise<void> =>
      new Promise((resume) => {
        [wanted, resumeWaiting] = [count, resume];
        if (hanging >= count) resume();
      }),
    answerAll: () => {
      hangs = false;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
