/**
 * The text of a page, for a model: one pass over the page, without a tree.
 *
 * Libraries build the whole tree of a page first, which a hostile page makes deep. A model needs
 * words, headings, lists and links, and no layout.
 */
const HIDDEN = new Set(["script", "style", "noscript", "template", "svg", "head", "iframe"]);
const BREAKS = new Set([
  ...["p", "div", "br", "li", "tr", "table", "ul", "ol", "section", "article", "header", "footer"],
  ...["h1", "h2", "h3", "h4", "h5", "h6", "pre", "blockquote", "dt", "dd", "nav", "main", "hr"],
]);
/** UTF-16 units of a tag that are looked at, and of its name. */
const TAG_LENGTH_MAX = 4_096;
const NAME_LENGTH_MAX = 32;
const ENTITIES: Readonly<Record<string, string>> = {
  ...{ amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " ", mdash: "—", ndash: "–" },
  ...{ hellip: "…", copy: "©", rsquo: "’", lsquo: "‘", rdquo: "”", ldquo: "“" },
};

export function htmlToText(html: string): string {
  const parts: string[] = [];
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf("<", at);
    parts.push(decodeEntities(html.slice(at, open < 0 ? html.length : open)));
    if (open < 0) break;
    at = skipTag(html, open, parts);
  }
  return parts
    .join("")
    .split("\n")
    .map((line) => line.replaceAll(/[ \t\r\f]+/g, " ").trim())
    .join("\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
}

/** Returns the place behind a tag, a comment, or an element that is not shown. */
function skipTag(html: string, open: number, parts: string[]): number {
  if (html.startsWith("<!--", open)) return after(html, "-->", open + 4);
  const start = html.slice(open + 1, open + NAME_LENGTH_MAX);
  const isMark = /^[/!?]/.test(start);
  const name = /^\/?([a-z][a-z0-9]*)/i.exec(start)?.[1]?.toLowerCase();
  // A sign in a text: looking for its end would read the page once for each.
  if (name === undefined && !isMark) {
    parts.push("<");
    return open + 1;
  }
  const end = html.indexOf(">", open);
  if (end < 0) return html.length;
  if (name === undefined) return end + 1;
  const tag = html.slice(open + 1, Math.min(end, open + TAG_LENGTH_MAX));
  if (HIDDEN.has(name) && !tag.startsWith("/") && !tag.endsWith("/"))
    return after(html, ">", findClosing(html, name, end));
  if (BREAKS.has(name)) parts.push(/^h[1-6]$/.test(name) ? "\n\n" : "\n");
  if (name === "li" && !tag.startsWith("/")) parts.push("- ");
  return end + 1;
}

function findClosing(html: string, name: string, from: number): number {
  const closing = `</${name}`;
  for (let at = html.indexOf("</", from); at >= 0; at = html.indexOf("</", at + 2))
    if (html.slice(at, at + closing.length).toLowerCase() === closing) return at;
  return html.length;
}

function after(html: string, mark: string, from: number): number {
  const at = html.indexOf(mark, from);
  return at < 0 ? html.length : at + mark.length;
}

function decodeEntities(text: string): string {
  return text.replaceAll(/&(#x?[0-9a-f]{1,6}|[a-z]{2,8});/gi, (whole, name: string) => {
    if (!name.startsWith("#")) return ENTITIES[name.toLowerCase()] ?? whole;
    const isHex = /^#x/i.test(name);
    const point = Number.parseInt(name.slice(isHex ? 2 : 1), isHex ? 16 : 10);
    return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point).toWellFormed() : whole;
  });
}
