"""How responses announce, state, hedge and break off their answers: the patterns of `final_answers`, and nothing else."""

from __future__ import annotations

import re

_ANSWER_WORDS = (
    r"final\s+(?:value|result|list)|answer|correct\s+(?:option|choice|statement)|option|choice"
    r"|antwort|lösung|ergebnis|respuesta|réponse|reponse|risposta|resposta|ответ|odpowied[źz]|antwoord|svar(?:et)?|cevap|đáp án|trả lời|jawaban"
)
_IS = r"should be|would be|must be|will be|is|are|ist|lautet|es|est|è|é|är|jest|to|là|adalah"
ANNOUNCEMENT = re.compile(
    rf"\b(?:{_ANSWER_WORDS})\b(?:\s+(?:to|for)\s+(?:the|your|this)\s+\w+)?(?:\s+(?:final\w?|corr?ect\w?|corretta|правильный))?[\s*_]{{0,5}}"
    rf"(?:(?:therefore|thus|then)\s+)?(?:(?:{_IS})\b(?:\s+(?:therefore|donc|daher|somit|dunque|quindi|la|el|le|il)\b){{0,2}}|[:：=])[\s*_:：]{{0,5}}"
    r"|(?:正确)?(?:答案|选项|答え|正解|정답|الإجابة|الجواب|उत्तर|תשובה)\s?(?:应该|应)?(?:是|为|選|选|は|은|는|:|：|हे|है|هي|هو)[\s*:：]{0,5}"
    r"|(?:故|应|因此|所以)?(?:答案)?选(?:择)?(?:答案)?[\s:：]{0,3}(?=[(（]?[A-J])",
    re.IGNORECASE,
)
COPULA = re.compile(r"\s?(?:です|になります|番|번)?(?:입니다|이다|है)?(?:。|(?<!\.[A-Z])\.)?\s*$")
NOT_AN_ANSWER = re.compile(r"(?:not|correct|incorrect|wrong|right|none|among|\\boxed|let)\b", re.IGNORECASE)
SCRIPT_CHANGE = re.compile(r"(?<=[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af])(?=[\d√\\$-])")  # “度数是50°” is two words
BRACE = re.compile(r"\\boxed\s{0,3}\{|\\[{}]|[{}]")
SENTENCE_END = re.compile(r"(?<!\.[A-Z])(?<!\d\))(?:[.!?](?=\s|$)|。)")  # not the last point of "1:15 P.M."
SENTENCE_BREAK = re.compile(
    r"(?<!\bMr\.)(?<!\bMs\.)(?<!\bDr\.)(?<!\bMrs\.)(?<=[.!?])[\"')*]*\s+(?=[\"'(\[*]*[A-Z0-9$\\∠△])|。|\n+"
)
MARKUP = re.compile(r"^[\s>#*†_-]+|[*_]{2}|`+")
CONCLUDES = re.compile(
    r"\b(?:therefore|thus|hence|so|consequently|in conclusion|conclusion|overall|finally|most reasonable|best estimate|closest|"
    r"most (?:likely|appropriate|accurate)|reasonable (?:estimate|answer)|best (?:answer|choice|match)|"
    r"only option|the answer|seems reasonable|somit|daher|folglich|por lo tanto|por tanto|donc|ainsi|par conséquent|quindi|pertanto|portanto|"
    r"следовательно|поэтому|zatem|dus|därför)\b|^因此|^所以|^따라서|^したがって|^よって|∴",
    re.IGNORECASE,
)
SUGGESTS = re.compile(
    CONCLUDES.pattern + r"|\bthis\b[\w\s]{0,30}\b(?:means|suggests|implies|indicates)\b", re.IGNORECASE
)
CLOSING_LETTER = re.compile(r"(?:\bis|\bare|[=:])\s?[(（]?([A-J])[)）]\.?\s*$")
LEADING_CONDITION = re.compile(r"^If\b.{1,300}?,\s(?:then|so)\b", re.IGNORECASE)
EMPTY_BOX = re.compile(r"\\boxed\s?\{[\s.]?\}")
NO_OPTION = re.compile(
    r"\b(?:none of|not? (?:among|one of|match|listed|in)|does(?:n't| not) match|no)\b[^.]{0,40}\b(?:options?|choices?)\b",
    re.IGNORECASE,
)
STATEMENT = re.compile(
    r"\b(?:statement|claim|assertion|this|it)\b.{0,250}?\b(?:is|as|to be|be|must be|would be)\s+(?:\w+ly\s+|indeed\s+)?(?P<not>not\s+)?[*\"'“]{0,4}"
    r"(?P<word>true|false|correct|incorrect|accurate|inaccurate|right|wrong)\b(?!\s+(?:angle|triangle|answer|or\b))",
    re.IGNORECASE,
)
FALSE_WORDS = frozenset({"false", "incorrect", "inaccurate", "wrong", "no"})
FIRST_WORD = re.compile(r"[\W_]*(true|false|yes|no)(?=[*_]*[.,:;!]|[*_]*\s*$|\s+[-–—(])", re.IGNORECASE)
TRUTH_WORD = re.compile(r"\b(true|false)\b", re.IGNORECASE)
ASKS_TRUTH = re.compile(r"\btrue or false\b|\byes or no\b", re.IGNORECASE)
NEGATION = re.compile(r"\b(?:not|no|never|cannot|isn't|doesn't|does not|neither|nor|without)\b|n't\b", re.IGNORECASE)
CONDITIONAL = re.compile(
    r"\b(?:if|whether|would|unless|cannot (?:determine|conclude)|definitively|to determine|we need|question|asks)\b",
    re.IGNORECASE,
)
ANNOUNCES_VALUE = re.compile(r"[=≈:]\s*$|\b(?:is|are|equals?)\s*:?\s*$", re.IGNORECASE)
WORD = re.compile(r"[^\W_]+")
ASKING_WORDS = frozenset(
    "what which who when where how many much is are was were do does did has have the of in on at to for and or by an it its this that be "
    "with from as there according shown figure find out unit answer question".split()
)
ASKS_NO_NUMBER = re.compile(
    r"^\W*(?:(?:in|at|on|by|to|based on|according to)\s[^,?]{1,60},\s)?(?:why|where|who|whose|do|does|did|is|are|was|were|will|would|can"
    r"|could|should|has|have|what\s(?:will|would|can|could|might|kind|type|sort))\b",
    re.IGNORECASE,
)
ASKS_WHICH = re.compile(r"\bwhich\s(?!number|value|digit|year|two|one\b)(?:of\s\w+\s)?(\w+)", re.IGNORECASE)
OPTION_WORD = re.compile(r"(?:option|choice)\s{1,3}(?=[(*]{0,3}[A-Z]\b)", re.IGNORECASE)
POINTS = re.compile(r"\b(?:these|those|the|both|between|bottom|top)\s+$", re.IGNORECASE)
WORKED_OUT = re.compile(r"\d\s?[-+*/×÷−·x]\s?[$€£]?\d.{0,200}=")
NONE_THERE = re.compile(r"\bthere (?:are|were|is|was) no\b", re.IGNORECASE)
STATES_VALUE = re.compile(r"^there\b|\b(?:is|are|was|were|has|have)\b.{0,25}?\d", re.IGNORECASE)
LIST = re.compile(r"[\[(]\s?-?\d[\d.]*(?:\s?,\s?-?\d[\d.]*)+\s?[\])]")
BARE_LINE = re.compile(r"[-−$€£]?\d[\d,]*(?:\.\d+)?\s?(?:%|°)?\.?|\(?[A-Z]\)?\.?|\([A-Z]\)\s[^.\n]{1,40}")
IN_BOLD = re.compile(r"\b(?:is|are|was|were|equals|by)\s(?:approximately |about )?\*\*([^*\n]{1,40})\*\*")
STOPS = re.compile(r"[.!?。:][*_`)\]}\"'$|\\]*$")
ONLY_BEGINS = re.compile(
    rf"(?=(?:{CONCLUDES.pattern}))(?!.*(?:[=\d]|\b(?:is|are|was|were|has|have|needs?|costs?|spent|equals?|must|cannot|not)\b))",
    re.IGNORECASE,
)
OPTION_LINE = re.compile(
    r"^option\s?[(（][a-j][)）]", re.IGNORECASE | re.MULTILINE
)  # of a response that goes through the options
STATES = re.compile(r"\b(?:is|are|was|were|there|needs?|spent|has|have)\b")
QUESTION_OR_OFFER = re.compile(
    r"\?\s*$|\b(?:i hope|let me know|anything else|feel free|happy to help|i can help)\b", re.IGNORECASE
)
FENCE = re.compile(r"```\w{0,20}")
DISPLAY = re.compile(r"\n(?:\\\[|\$\$)\s?")
DISPLAY_END = re.compile(r"\s?(?:\\\]|\$\$)(?=\n|$)")
AFTER_COLON = re.compile(r"[:：]\*{0,2}\n(?=\**(?:[-−$\[(\\]?\s?\d|[(（]?[A-Ja-j][)）]))(?!\d{1,2}[.)]\s)")
REJECTS = re.compile(
    r"\b(?:not|unlikely|incorrect|impossible|rule[sd]? out|eliminat\w*|cannot|too (?:small|large|big|wide|narrow)|neither|none|between|than)\b|n't\b",
    re.IGNORECASE,
)
MEETS = re.compile(
    r"\b(?:meets|satisfies|fits|matches|fulfills)\b.{0,40}\b(?:definition|criteria|requirements?|properties)\b",
    re.IGNORECASE,
)
FACTORS = (
    (re.compile(r"\btwice\b|\bdouble\b", re.IGNORECASE), 2.0),
    (re.compile(r"\bhalf\b(?! of the)", re.IGNORECASE), 0.5),
)
RATIO_BEFORE = re.compile(r"\d+(?:\.\d+)?\s?:\s?$")
ASKS_WHEN = re.compile(r"\bwhen\b|\bbetween which\b|\bwhich (?:two )?years\b|\bperiod\b", re.IGNORECASE)
PAIR = re.compile(r"\b(?:between|from)\s+(\d{4})\s+(?:and|to)\s+(\d{4})\b", re.IGNORECASE)
NUMBERS = re.compile(r"\d+")
