/** Words that read as translated, or as a second word for one thing, and what to write instead. */
export const BANNED: [pattern: RegExp, instead: string][] = [
  [/\banew\b/i, 'again'],
  [/\bwhoever\b/i, '“people who”, “anyone who”'],
  [/\bby hand\b/i, 'manually'],
  [/\btick(ed|s)?\b/i, '“select”'],
  [/\b(hours of rest|messages? rest|rests? (from|until|now|longer|in|at))\b/i, 'quiet hours'],
  [/\bhandsets?\b/i, 'phones'],
  [/\bleaves? the building\b/i, '“No message leaves this machine.”'],
  [/\bunder way\b/i, 'running'],
  [/^empty[:,]|[.?] empty[:,]|\bleft empty\b/i, '“Leave blank to …”'],
  [/\b(take|takes|taken|took|taking) (?:it |part |\{\} |this |the \w+ ){0,2}away\b/i, 'remove'],
  [/\bstands? (in|here|on|at|between|before|outside|beside)\b|\bas (it|they) stands?\b|\bit stands\b/i, 'is'],
  [/\b(settle|settles|settled)\b/i, 'set, decide, close'],
  [/\bin words that suit\b/i, 'say how to word it'],
  [/\bwhat waits\b/i, 'name the things'],
  [/\b(any|no) more\b/i, '“no longer”, “not”'],
  [
    /\b(authors?|you|they|administrators?|people|sub-tenants?|company|caller|who|sponsors?|learners?) may\b(?! (not )?have)/i,
    'can',
  ],
  [/\bof (its|their|your|our|one’s|a person’s) own\b/i, '“its own …” before the noun'],
  [/\bone’s\b/i, '“your” on screen, “the caller’s” in the API'],
  [/\beverybody\b/i, 'everyone'],
  [/\blately\b/i, 'recently'],
  [/\bnot yours to\b/i, 'you don’t have access'],
  [/\bgoes on (holding|being)\b|\bholds? here\b/i, 'stays active, applies'],
  [/\bto be sure that it is you\b/i, 'confirm that it’s you'],
  [/\bis (good|not good|void) (once|for|until)\b|\bis void\b|\bcode is good\b/i, 'valid, works'],
  [
    /(?<!there )\bis (no|none of) (address|number|date|field|image|key|attribute|file|report|user|place|(access|ID) token)\b/i,
    '“is not a …”',
  ],
  [/\bmakes? (an )?(account|API keys?|journeys?)\b/i, 'create'],
  [/\bcomes? into (this|the|a) company\b/i, 'joins'],
  [
    /\b(recognis|organis|apologis|authoris|summaris|initialis)\w+|\b(cancelled|cancelling|labelled|travelled|spelt|whilst|colour|behaviour|favour|licence|centre)\b/i,
    'American spelling',
  ],
  [/\bsave (on|for) this\b/i, 'except'],
  [/(\d|\}) %(?!\d|[a-z])/, 'no space before %'],
  [/\b(?:[01]\d|2[0-3]):[0-5]\d\b(?![:.]\d|Z| [AP]M)/, '9:00 AM'],
  [/\bwho gets what\b/i, 'Preview schedule'],
  [/\bwho needs? a word\b/i, 'needs attention'],
  [/\b(meant|asked) by whoever\b|\bto the letter\b|\bat their next request\b/i, 'plain words'],
]

/** Where a banned word is right, and why. */
export const ALLOWED: [text: string, reason: string][] = []
