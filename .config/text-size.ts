/**
 * Lets every size follow the text size that a visitor has set in the browser, as it follows zoom: lengths become `rem`,
 * and `em` in queries. Lines stay as fine as they are, and a chart's drawing scales its own text.
 */
import type { Plugin } from 'postcss'

const ROOT_PX = 16
const FINE_PX = 2

export function followTextSize(): Plugin {
  return {
    postcssPlugin: 'follow-text-size',
    OnceExit(root) {
      root.walkAtRules(/^(media|container)$/, (rule) => {
        rule.params = relative(rule.params, 'em')
      })
      root.walkDecls((declaration) => {
        const { parent } = declaration
        if (parent?.type === 'rule' && 'selector' in parent && / text$/.test(String(parent.selector))) return
        declaration.value = relative(declaration.value, 'rem')
      })
    },
  }
}

function relative(value: string, unit: 'em' | 'rem'): string {
  return value.replaceAll(/(?<![\w.#])(\d*\.?\d+)px\b/g, (same, px: string) =>
    Number(px) > FINE_PX ? `${Number(px) / ROOT_PX}${unit}` : same,
  )
}
