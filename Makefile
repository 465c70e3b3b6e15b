# For those who type make: each target is the command of ./dev of the same name.
COMMANDS := demo test bench check format asan tsan docs setup clean help
.DEFAULT_GOAL := help
.PHONY: $(COMMANDS)
$(COMMANDS):
	@./dev $@
