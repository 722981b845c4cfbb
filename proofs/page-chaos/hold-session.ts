/** One person with one or two tabs: says things, decides, reloads, stops, and loses the line. */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { BrowserContext, Page } from "playwright-core";
import type { Random } from "../simulate/random.ts";
import type { PageName, PageWorld } from "./page-world.ts";
import { findRun, readLog, readPage } from "./shown-lines.ts";

export interface Deeds {
  messages: number;
  reloads: number;
  cuts: number;
  twoTabs: number;
  decisions: number;
  stops: number;
  /** Messages that do not fit, which the server has refused. */
  misfits: number;
  /** Messages that no server took within the patience of a person, who loads the page again. */
  untaken: number;
}

export interface HeldSession {
  readonly deeds: Deeds;
  /** What the page shows in the end, and what the log says. */
  readonly shown: readonly string[];
  readonly stored: readonly string[];
}

const WISHES = ["Hello", "Where is A-17?", "I want my money back for A-17", "And for C-3?"];
/** How long a person waits for something to happen before they load the page again. */
const PATIENCE_MS = 60_000;
/** How long they look at an empty page. */
const LOADING_MS = 20_000;

/** A chat, and the page that shows it. */
export interface ChatPage {
  readonly chat: string;
  readonly page: PageName;
}

export async function holdSession(
  world: PageWorld,
  random: Random,
  held: ChatPage,
): Promise<HeldSession> {
  const context = await world.browser.newContext();
  const deeds: Deeds = {
    messages: 0,
    reloads: 0,
    cuts: 0,
    twoTabs: 0,
    decisions: 0,
    stops: 0,
    misfits: 0,
    untaken: 0,
  };
  try {
    const page = await open(context, world, held);
    for (let left = random.between(1, 3); left > 0; left -= 1) {
      const isTaken = await say(page, random.pick(WISHES));
      deeds[isTaken ? "messages" : "untaken"] += 1;
      await disturb({ world, page, random, deeds });
      if (random.chance(0.3)) await sendMisfit(world.server, held.chat, deeds);
      await decide({ world, page, random, deeds, held });
    }
    await settle(page);
    // Both are read until they agree, or patience is over: the log may be the one that moves.
    for (let triesLeft = 20; ; triesLeft -= 1) {
      const [shown, stored] = [await readPage(page), await readLog(world.server, held.chat)];
      if (triesLeft === 0 || shown.join("\n") === stored.join("\n"))
        return { deeds, shown, stored };
      await sleep(250);
    }
  } finally {
    await context.close();
  }
}

async function open(
  context: BrowserContext,
  world: PageWorld,
  { chat, page: name }: ChatPage,
): Promise<Page> {
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  await page.goto(`${world.page}/${name}#${chat}`);
  await waitUntilLoaded(page);
  return page;
}

/** False for a message that the page still tries to send, since its server is killed too often. */
async function say(page: Page, text: string): Promise<boolean> {
  await settle(page);
  await page.getByLabel("Message").fill(text);
  await page.getByRole("button", { name: "Send" }).click();
  // An unsent message is stored nowhere: a reload before that loses it, as for any user.
  // A server that is away leaves the page in error, and its person loads it again.
  const isTaken = await page
    .locator(ANSWERED)
    .waitFor()
    .then(
      () => true,
      () => false,
    );
  if (!isTaken) await reload(page);
  return isTaken;
}

const ANSWERED = "[data-status=streaming], [data-status=ready], [data-status=error]";

interface Talk {
  readonly world: PageWorld;
  readonly page: Page;
  readonly random: Random;
  readonly deeds: Deeds;
}

/** Disturbs a page while it talks. */
async function disturb({ world, page, random, deeds }: Talk): Promise<void> {
  await sleep(random.below(400));
  if (random.chance(0.4)) {
    world.line.cut();
    deeds.cuts += 1;
  }
  if (random.chance(0.4)) {
    await reload(page);
    deeds.reloads += 1;
  }
  if (random.chance(0.15)) {
    const stop = page.getByRole("button", { name: "Stop" });
    const isStopped = await stop.click({ timeout: 500 }).then(
      () => true,
      () => false,
    );
    deeds.stops += isStopped ? 1 : 0;
  }
}

/** Sends a message without a text. It is refused, and ends nothing. */
async function sendMisfit(server: string, chat: string, deeds: Deeds): Promise<void> {
  const run = await findRun(server, chat);
  const answer = await fetch(`${server}/v1/runs/${run}/messages`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ text: 5, key: randomUUID() }),
  }).catch(() => undefined);
  // A server that was killed just now has refused nothing.
  if (answer === undefined) return;
  if (answer.status !== 400) throw new Error(`a misfit was answered with ${answer.status}`);
  deeds.misfits += 1;
}

/** Decides what is open, here or in another tab, or in both at once. */
async function decide(talk: Talk & { readonly held: ChatPage }): Promise<void> {
  const { world, page, random, deeds, held } = talk;
  for (;;) {
    await settle(page);
    const isAsked = (await page.locator(".tool.approval-requested").count()) > 0;
    if (!isAsked) return;
    deeds.decisions += 1;
    const button = (tab: Page) =>
      tab.getByRole("button", { name: random.chance(0.7) ? "Approve" : "Reject" }).first();
    if (random.chance(0.5)) {
      deeds.twoTabs += 1;
      const other = await open(page.context(), world, held);
      await Promise.all([
        button(other)
          .click()
          .catch(() => {}),
        random.chance(0.5)
          ? button(page)
              .click()
              .catch(() => {})
          : undefined,
      ]);
      await settle(other);
      await other.close();
      await page.bringToFront();
      await page.evaluate(`window.dispatchEvent(new Event("focus"))`);
    } else await button(page).click();
    await sleep(100);
  }
}

/** Waits until the page is at rest; a page that is in error, or waits too long, is loaded again. */
async function settle(page: Page): Promise<void> {
  for (let triesLeft = 5; triesLeft > 0; triesLeft -= 1) {
    const status = page.locator("[data-status=ready], [data-status=error]");
    const isThere = await status.waitFor({ timeout: PATIENCE_MS }).then(
      () => true,
      () => false,
    );
    const isReady = isThere && (await page.locator("[data-status=ready]").count()) > 0;
    if (isReady) {
      // A page that resumes is at rest for a moment before.
      await sleep(150);
      if ((await page.locator("[data-status=ready]").count()) > 0) return;
      continue;
    }
    await reload(page);
  }
}

async function reload(page: Page): Promise<void> {
  await page.reload();
  await waitUntilLoaded(page);
}

/** A page that stays empty, since its server was away for too long, is loaded again. */
async function waitUntilLoaded(page: Page): Promise<void> {
  const message = page.getByLabel("Message");
  for (let triesLeft = 5; triesLeft > 0; triesLeft -= 1) {
    const isThere = await message.waitFor({ timeout: LOADING_MS }).then(
      () => true,
      () => false,
    );
    if (isThere) return;
    await page.reload();
  }
  await message.waitFor();
}
