/** Replies to text messages: short, and only with characters that do not make them more segments. */

export const stopped = (tenant: string): string =>
  `${tenant}: You will get no texts from us. Your lifts are in your to-do list, and come by e-mail unless you stopped that. Reply START to get texts again.`

export const started = (tenant: string): string =>
  `${tenant}: You'll get texts again, starting with your next lift. Reply HELP for help, STOP to end.`

/** For people who asked for texts, on a page or by START: what to expect, and how to end it. */
export const confirmed = (tenant: string): string =>
  `${tenant}: You'll now get your lifts and reminders by text. Message frequency varies. Message and data rates may apply. Reply HELP for help, STOP to end.`

export const left = (tenant: string, journey: string): string =>
  `${tenant}: You have left "${journey}" and won't get its messages. Your answers stay. Reply STOP to end all texts.`

export const leftAlready = (tenant: string, journey: string): string =>
  `${tenant}: You no longer get messages of "${journey}". Reply STOP to end all texts.`

export function help(tenant: string, support: string | null, journeys: readonly string[]): string {
  const leaving = journeys.map((code) => `STOP ${code}`).join(' or ')
  return [
    `${tenant}: learning by text. Message frequency varies.`,
    ...(support ? [`Help: ${support}.`] : []),
    ...(leaving ? [`To leave one journey reply ${leaving}.`] : []),
    'Reply STOP to end all texts. Message and data rates may apply.',
  ].join(' ')
}
