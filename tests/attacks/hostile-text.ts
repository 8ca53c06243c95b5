/** What somebody types into a field of text who hopes that a page runs it, or a spreadsheet calculates it. */

/** Ends attributes, elements and scripts, and then would run; the longest that fits a field is typed into it. */
export const MARKUP: readonly string[] = [
  `"' data-xss=1 ></textarea></title></script><svg onload=xss()><!--[x](javascript:xss())`,
  `"' data-xss=1 ></script><svg onload=xss()>`,
  `"'><svg onload=x()>`,
  `"'><svg `,
]
/** As much of an address as an address may be. */
export const MARKUP_ADDRESS = `https://evil.example/?"'data-xss=1><svg/onload=xss()>`

/** What must stand on no page as it was typed. In a script a quote is escaped, and nothing may end it. */
const RAW = [/<svg[ /]/i, /"' data-xss|"'data-xss/, /"'>(<|&lt;)svg/, /(href|src|action)="\s*javascript:/i]
const RAW_IN_SCRIPT = [/<svg[ /]/i, /<!--\[x\]/]

/** Where a page has taken text for markup; our own drawings are no text. */
export function runIn(html: string): string | null {
  const scripts = [...html.matchAll(/<script\b[^>]*>(.*?)<\/script>/gs)].map(([, inside = '']) => inside)
  const page = html
    .replace(/<script\b[^>]*>.*?<\/script>/gs, '')
    .replace(/<svg (?:[\w:-]+="[^"<>]*" ?)+>/g, '')
  const found =
    RAW.map((raw) => raw.exec(page)).find(Boolean) ??
    scripts.flatMap((script) => RAW_IN_SCRIPT.map((raw) => raw.exec(script))).find(Boolean)
  return found ? found.input.slice(Math.max(0, found.index - 80), found.index + 80) : null
}

/** Whether the words stand there at all, escaped. */
export const showsIn = (html: string): boolean => /&lt;svg(\/| )/.test(html)

/** The beginnings that make a formula of a cell. */
export const FORMULAS: readonly string[] = ['=', '+', '-', '@', '\t', '\r', ' =', '\u00A0=', '＝']
export const formulaOf = (lead: string): string => `${lead}HYPERLINK("http://evil.example","formula")`
