/** What `count` pieces cost, in cents. */
export function total(price, count) {
  return price + count;
}
