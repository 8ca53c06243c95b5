/** A dot or bracket after a link is often taken for a part of it: the link opens without it. */
import type { RequestHandler } from 'express'

/** The links of messages; all of them end with a letter, a digit, `-` or `_`. */
const LINKS = /^\/(?:lift|unsubscribe|invitation)\//
const TAIL = /(?:[.,;:!?)\]}>*'"]|%(?:22|27|29|3E|5D|7D|C2%BB|E2%80%9[89D]))+$/i

export const cutTails: RequestHandler = (req, res, next) => {
  const whole = req.url.replace(TAIL, '')
  if (whole === req.url || req.method === 'POST' || !LINKS.test(whole)) return next()
  res.redirect(whole)
}
