; ModuleID = "list_sum.c"
source_filename = "list_sum.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux5.10.0-gnu2.31.0"

%struct.list_node = type { i32, ptr }

@limit = global i32 10, align 4
@.str = private unnamed_addr constant [9 x i8] c"total %d\00", align 1

; Function Attrs: noinline nounwind sspstrong uwtable
define i32 @list_sum(ptr noundef %0, i32 noundef %1) #0 {
  %3 = alloca i32, align 4
  %4 = alloca ptr, align 8
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  store ptr %0, ptr %4, align 8
  store i32 %1, ptr %5, align 4
  store i32 0, ptr %6, align 4
  br label %7

7:                                                ; preds = %22, %2
  %8 = load ptr, ptr %4, align 8
  %9 = icmp ne ptr %8, null
  br i1 %9, label %10, label %14

10:                                               ; preds = %7
  %11 = load i32, ptr %6, align 4
  %12 = load i32, ptr @limit, align 4
  %13 = icmp slt i32 %11, %12
  br label %14

14:                                               ; preds = %10, %7
  %15 = phi i1 [ false, %7 ], [ %13, %10 ]
  br i1 %15, label %16, label %26

16:                                               ; preds = %14
  %17 = load ptr, ptr %4, align 8
  %18 = getelementptr inbounds nuw %struct.list_node, ptr %17, i32 0, i32 0
  %19 = load i32, ptr %18, align 8
  %20 = load i32, ptr %6, align 4
  %21 = add nsw i32 %20, %19
  store i32 %21, ptr %6, align 4
  br label %22

22:                                               ; preds = %16
  %23 = load ptr, ptr %4, align 8
  %24 = getelementptr inbounds nuw %struct.list_node, ptr %23, i32 0, i32 1
  %25 = load ptr, ptr %24, align 8
  store ptr %25, ptr %4, align 8
  br label %7, !llvm.loop !6

26:                                               ; preds = %14
  %27 = load i32, ptr %5, align 4
  switch i32 %27, label %34 [
    i32 1, label %28
    i32 2, label %31
    i32 3, label %31
  ]

28:                                               ; preds = %26
  %29 = load i32, ptr %6, align 4
  %30 = sdiv i32 %29, 2
  store i32 %30, ptr %3, align 4
  br label %36

31:                                               ; preds = %26, %26
  %32 = load i32, ptr %6, align 4
  %33 = call i32 (ptr, ...) @report(ptr noundef @.str, i32 noundef %32)
  br label %34

34:                                               ; preds = %26, %31
  %35 = load i32, ptr %6, align 4
  store i32 %35, ptr %3, align 4
  br label %36

36:                                               ; preds = %34, %28
  %37 = load i32, ptr %3, align 4
  ret i32 %37
}

declare i32 @report(ptr noundef, ...) #1

attributes #0 = { noinline nounwind "frame-pointer"="all" }
attributes #1 = { "frame-pointer"="all" }

!llvm.module.flags = !{!0, !1, !2, !3, !4}

!0 = !{i32 7, !"Dwarf Version", i32 4}
!1 = !{i32 1, !"wchar_size", i32 4}
!2 = !{i32 8, !"PIC Level", i32 2}
!3 = !{i32 7, !"uwtable", i32 2}
!4 = !{i32 7, !"frame-pointer", i32 2}
!6 = distinct !{!6, !7}
!7 = !{!"llvm.loop.mustprogress"}
