/** Texts that an attacker types into a field so that a page runs them or a spreadsheet calculates them. */

/** Closes attributes, elements and scripts, and then tries to run; the longest that fits is typed into a field. */
export const MARKUP: readonly string[] = [
  `"' data-xss=1 ></textarea></title></script><svg onload=xss()><!--[x](javascript:xss())`,
  `"' data-xss=1 ></script><svg onload=xss()>`,
  `"'><svg onload=x()>`,
  `"'><svg `,
]
/** An address with as much of it as an address allows. */
export const MARKUP_ADDRESS = `https://evil.example/?"'data-xss=1><svg/onload=xss()>`

/** No page can contain these unescaped. In a script quotes are escaped, and nothing can end it. */
const RAW = [/<svg[ /]/i, /"' data-xss|"'data-xss/, /"'>(<|&lt;)svg/, /(href|src|action)="\s*javascript:/i]
const RAW_IN_SCRIPT = [/<svg[ /]/i, /<!--\[x\]/]

/** Where a page treats text as markup; the product's own drawings are no text. */
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

/** Whether the page contains the text at all, escaped. */
export const showsIn = (html: string): boolean => /&lt;svg(\/| )/.test(html)

/** The characters with which a spreadsheet's formula begins. */
export const FORMULAS: readonly string[] = ['=', '+', '-', '@', '\t', '\r', ' =', '\u00A0=', '＝']
export const formulaOf = (lead: string): string => `${lead}HYPERLINK("http://evil.example","formula")`
