source("tell.R")

set.seed(1)
angle <- runif(300, 0, 2 * pi)
ring <- cbind(x = cos(angle), y = sin(angle))
height <- sin(3 * angle)
m <- lapsvm(ring, replace(height, 41:300, NA))
stopifnot(is.numeric(fitted(m)), 1 - sum((predict(m, ring) - height)^2) / sum((height - mean(height))^2) > 0.9)
interval <- predict(m, ring, type = "interval", level = 0.9)
stopifnot(identical(colnames(interval), c("fit", "lwr", "upr")), mean(interval[, "lwr"] <= height & height <= interval[, "upr"]) > 0.8, identical(interval[, "fit"], predict(m, ring)))
print(m)
print(summary(m))
stopifnot(!"changed" %in% names(summary(m)$importance))
pdf(NULL)
plot(m)
invisible(dev.off())

cars <- lapsvm(mpg ~ wt + log(hp) + factor(cyl), transform(mtcars, mpg = replace(mpg, 20:32, NA)))
stopifnot(cor(predict(cars, mtcars), mtcars$mpg) > 0.8, nrow(audit(cars)) == 19, nrow(suggest(cars, n = 2)) == 2)
stopifnot(!"mpg" %in% unlist(lapsvm(log(mpg) ~ ., transform(mtcars, mpg = replace(mpg, 20:32, NA)), views = 1)$info$features))
scaled <- lapsvm(mpg ~ scale(wt) + poly(hp, 2), transform(mtcars, mpg = replace(mpg, 20:32, NA))) # by the scales of the training
stopifnot(max(abs(predict(scaled, mtcars)[25:30] - predict(scaled, mtcars[25:30, ]))) < 1e-6)
print(explain(cars, mtcars[1:2, ]))

# Few different whole numbers are warned of, and -1 is one of them.
said <- NULL
withCallingHandlers(lapsvm(iris[1:4], rep(c(0, 1, -1), 50), views = 1), warning = function(w) {
  said <<- c(said, conditionMessage(w))
  invokeRestart("muffleWarning")
})
stopifnot(any(grepl("factor\\(y\\).*NA is no label", said)))

stopifnot(identical(rownames(predict(cars, mtcars[3:4, ], type = "interval")), rownames(mtcars)[3:4]))

refused(predict(m, ring, type = "prob"), "lapsvm_lacks")
refused(predict(m, ring, type = "interval", level = 0.999), "lapsvm_few_labels")
refused(lapsvm(ring, rep(1.5, 300)), "lapsvm_few_labels")
refused(lapsvm(ring, replace(height, 1, Inf)), "lapsvm_value")
