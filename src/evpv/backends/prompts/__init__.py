"""What models are asked, as text files, and how they are filled in."""

from evpv.backends.prompts.fencing import fenced
from evpv.backends.prompts.templates import Prompt, load_prompt, prompt_names
from evpv.backends.prompts.wording import constraints_text, question_text, steps_text

__all__ = ["Prompt", "constraints_text", "fenced", "load_prompt", "prompt_names", "question_text", "steps_text"]
