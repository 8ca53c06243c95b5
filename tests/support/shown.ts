/** The visible part of a page: without its scripts' data, and without markers of possible line breaks. */
export const shown = (html: string): string =>
  html.replace(/(<script\b[^>]*>).*?(<\/script>)/gs, '$1$2').replaceAll(/<wbr\/>|<!-- -->/g, '')
