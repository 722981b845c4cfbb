/**
 * The place of a call in the definition of its run, without turn and round: a prompt that is called
 * again has the same place again.
 */
export const ROOT_PLACE = "/";

export function placeBelow(place: string, below: string): string {
  return place === ROOT_PLACE ? `/${below}` : `${place}/${below}`;
}
