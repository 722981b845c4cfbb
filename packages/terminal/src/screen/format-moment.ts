/** A moment for a list: in the time of this machine, and no longer than needed. */
export function formatMoment(iso: string, nowMs: number): string {
  const moment = new Date(iso);
  if (Number.isNaN(moment.getTime())) return "";
  const now = new Date(nowMs);
  const time = `${pad(moment.getHours())}:${pad(moment.getMinutes())}`;
  const day = `${pad(moment.getMonth() + 1)}-${pad(moment.getDate())}`;
  if (moment.getFullYear() !== now.getFullYear()) return `${moment.getFullYear()}-${day}`;
  const isToday = moment.getMonth() === now.getMonth() && moment.getDate() === now.getDate();
  return isToday ? time : `${day} ${time}`;
}

function pad(part: number): string {
  return String(part).padStart(2, "0");
}
