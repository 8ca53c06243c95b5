import type { Plugin } from 'vite'

/**
 * V8 keeps a source as long as it runs, in two bytes a letter where a single one is not Latin. Texts are escaped by
 * `charset`; this is for the lines of comments that esbuild keeps.
 */
export const oneByteComments: Plugin = {
  name: 'one-byte-comments',
  enforce: 'post',
  generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle))
      if (chunk.type === 'chunk')
        chunk.code = chunk.code.replace(/^\s*(\*|\/\/|\/\*).*$/gm, (line) => line.replace(/[^\0-\x7f]/g, ' '))
  },
}
