// The keys of seats that this browser holds, and links that give one away.

import { ask, pageLink } from "./api.js";

/** Sessions whose keys are kept; the oldest are dropped first. */
const MOST = 300;

/**
 * What this browser holds at a table.
 * @typedef {object} Held
 * @property {string} [owner] the key of whoever began the game
 * @property {Record<string, string>} seats the keys of seats
 * @property {Record<string, string>} invited the keys of seats that were given away
 * @property {boolean} hidden whether cards are hidden from the other seats
 */

const read = () => { try { return JSON.parse(localStorage.getItem("keys") ?? "{}"); } catch { return {}; } };

/** @param {string} id @returns {Held} */
export const heldAt = (id) => read()[id] ?? { seats: {}, invited: {}, hidden: false };

/** @param {string} id @param {Held} held */
export function keep(id, held) {
  const { [id]: _, ...others } = read();
  const all = Object.entries(others).slice(-(MOST - 1));
  localStorage.setItem("keys", JSON.stringify(Object.fromEntries([...all, [id, held]])));
}

/** Keeps the keys of a session that was begun here. */
export function keepCreated({ session, keys, open }) {
  const seats = Object.fromEntries(keys.seats.flatMap((key, seat) => (key ? [[seat, key]] : [])));
  keep(session, { owner: keys.owner, seats, invited: {}, hidden: !open });
}

/** The keys to present: those of one seat where others must not be seen, else all. */
export function keysFor(held, seat = null) {
  const seats = seat === null ? Object.values(held.seats) : [held.seats[seat]];
  return [...seats, held.owner].filter(Boolean);
}

/** Takes the seat that a link gives; the link gives it to nobody else from then on. */
export async function takeSeat(id, seat, key) {
  const held = heldAt(id);
  if (held.seats[seat]) return;
  const taken = await ask(`/api/sessions/${id}/seats/${seat}`, { method: "POST", keys: [key] });
  keep(id, { ...held, seats: { ...held.seats, [seat]: taken.key } });
}

/** A link that gives a seat to whoever opens it first; this browser holds it no longer. */
export function giveAway(id, seat) {
  const held = heldAt(id);
  const { [seat]: key = held.invited[seat], ...seats } = held.seats;
  keep(id, { ...held, seats, invited: { ...held.invited, [seat]: key } });
  return seatLink(id, seat, key);
}

/** A link that gives a seat to whoever opens it. */
export const seatLink = (id, seat, key) => pageLink(`#/play/${id}?seat=${seat}&key=${key}`);
