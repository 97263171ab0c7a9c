// The server: requests, and sessions that are followed over a WebSocket.

/** The token of the server: from the address once, then kept for this tab. */
const token = (() => {
  const given = new URLSearchParams(location.search).get("token");
  if (given) {
    sessionStorage.setItem("token", given);
    history.replaceState(null, "", location.pathname + location.hash);
  }
  return sessionStorage.getItem("token");
})();

/**
 * Asks the server; throws an Error with its complaint.
 * @param {string} path
 * @param {object} [body] posted if given
 * @param {string} [method]
 */
export async function ask(path, body, method) {
  const headers = {};
  if (token) headers.Authorization = `Bearer ${token}`;
  if (body) headers["Content-Type"] = "application/json";
  const response = await fetch(path, {
    method: method ?? (body ? "POST" : "GET"),
    headers,
    body: body ? JSON.stringify(body) : undefined,
  });
  if (response.status === 204) return null;
  const text = await response.text();
  let answer = null;
  try { answer = JSON.parse(text); } catch { /* An answer that is no JSON is told as it is. */ }
  if (!response.ok) throw new Error(answer?.error ?? (text || response.statusText));
  return answer;
}

/** An address with the token, for links and sockets. */
export const withToken = (path) => (token ? `${path}?token=${encodeURIComponent(token)}` : path);

/**
 * Follows a session; connects again when the connection is lost.
 * @param {string} id
 * @param {(message: any) => void} hear
 */
export function follow(id, hear) {
  let socket = null;
  let closed = false;
  let wait = 300;
  const waiting = [];
  const connect = () => {
    const address = new URL(withToken(`/api/sessions/${id}/ws`), location.href);
    address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
    socket = new WebSocket(address);
    socket.onopen = () => {
      wait = 300;
      while (waiting.length) socket.send(waiting.shift());
    };
    socket.onmessage = (event) => hear(JSON.parse(event.data));
    socket.onclose = () => {
      if (closed) return;
      setTimeout(connect, wait);
      wait = Math.min(2 * wait, 5000);
    };
  };
  connect();
  return {
    /** @param {object} command */
    send(command) {
      const text = JSON.stringify(command);
      if (socket?.readyState === WebSocket.OPEN) socket.send(text);
      else waiting.push(text);
    },
    close() {
      closed = true;
      socket?.close();
    },
  };
}
